// Package schema has the JSON Schemas (draft 2020-12) of the documents of service episodes,
// and validates documents against them: run manifests, participant realizations, reality
// bindings, semantic deltas, evidence records and cases.
//
// A document names its schema in the field "schema", such as "commitpoint/episode/case/v1".
// No document may have fields that its schema does not know, or two of one name. Numbers
// are whole, so that every reader reads the same. Formats, such as a date's, are checked.
//
// A valid document has the right shape. Whether it is true, and whether what it refers to
// exists, is for those who use it to find out.
//
// The schemas follow the profiles of Z. Wang and others, "Testing Agentic Service Systems"
// (arXiv 2610.35978v1), appendix A. They are not the ones that the authors have released.
package schema
