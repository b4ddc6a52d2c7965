// Package substrate keeps what the objects of a service episode are bound to: software, a
// shadow, a simulation, hardware in the loop, or the physical thing.
//
// A Binding declares what its adapter is capable of, and what time, observation, failure
// and the like mean on it. Plan fails if a capability that is required is not declared.
// The Run that it returns has each binding's fingerprint, so that another binding is
// noticed when it is used; one that is declared, by Rebind, is evidence, and gives a Delta:
// what has changed, and whether results from before and after can be compared with respect
// to a Hypothesis.
//
// # Limits
//
// What an adapter declares is what it claims. The package does not look at adapters, and
// compares texts: two that differ in words but mean the same are a change, and two that are
// equal are none. There is no order of substrates, and no measure of fidelity.
//
// See Z. Wang and others, "Testing Agentic Service Systems" (arXiv 2610.35978v1), sections
// 4.4 to 4.6 and 6.5.
package substrate
