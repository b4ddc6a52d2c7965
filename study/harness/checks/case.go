package checks

// A Result is how a check came out.
type Result string

// The results. A check that could not run is neither passed nor failed.
const (
	Pass   Result = "PASS"
	Fail   Result = "FAIL"
	NotRun Result = "NOT RUN"
)

// A Case is a check that was made, or could not be.
type Case struct {
	ID          string `json:"id"`
	Result      Result `json:"result"`
	Observation string `json:"observation"` // what was seen, or why nothing was
}
