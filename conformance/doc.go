// Package conformance drives a real completion service through the schedules of the model
// and compares what it decides with the oracle, and what it records with what the
// protocol allows.
package conformance
