package checks

// The modes of a summary: which checks there are.
const (
	ContractsOnly = "contracts-only" // those of Contracts
	Full          = "full"           // those of workloads, too
)

// A Summary is a list of checks, counted.
type Summary struct {
	Mode   string `json:"mode"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`
	NotRun int    `json:"not_run"`
	Cases  []Case `json:"cases"`
}

// Summarize counts the cases. A result that is none of this package's counts as failed, so
// that the counts always add up to the cases and a slip is never taken for a pass. Whether
// the cases are those of the mode is the caller's to know.
func Summarize(mode string, cases []Case) Summary {
	s := Summary{Mode: mode, Cases: append([]Case{}, cases...)} // never null in JSON
	for _, c := range cases {
		switch c.Result {
		case Pass:
			s.Passed++
		case NotRun:
			s.NotRun++
		default:
			s.Failed++
		}
	}
	return s
}
