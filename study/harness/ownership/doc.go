// Package ownership counts, exactly, what ways to clean up after a session do wrong: under
// every order in which two requests for the cleanup of session A can meet A's next
// generation, its exit, others that take its slot, the lease by which A's workload is
// retained, answers that are lost and inventories that fail.
//
// # Bounds
//
// A has two generations at most; B and another run come to A's slot once each, and get it
// if it is free. There are one lease with one renewal, two requests with one answer and
// one inventory each, and one outage of inventories. Requests know what they ask for when
// they ask. A removal is one step, at which the world stands still: exact relies on that.
// An inventory that works is right. All of it are 22 events, under some 4.9 × 10¹⁵ orders.
package ownership
