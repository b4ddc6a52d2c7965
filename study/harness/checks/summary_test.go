package checks

import (
	"encoding/json"
	"testing"
)

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		cases      []Case
		want       string
	}{
		{"none", ContractsOnly, nil,
			`{"mode":"contracts-only","passed":0,"failed":0,"not_run":0,"cases":[]}`},
		{"one of each, and one of no known result", Full,
			[]Case{{"a", Pass, "x"}, {"b", Fail, "y"}, {"c", NotRun, "z"}, {"d", "pass", ""}, {"e", NotRun, ""}, {"f", NotRun, ""}},
			`{"mode":"full","passed":1,"failed":2,"not_run":3,"cases":[` +
				`{"id":"a","result":"PASS","observation":"x"},{"id":"b","result":"FAIL","observation":"y"},` +
				`{"id":"c","result":"NOT RUN","observation":"z"},{"id":"d","result":"pass","observation":""},` +
				`{"id":"e","result":"NOT RUN","observation":""},{"id":"f","result":"NOT RUN","observation":""}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(Summarize(c.mode, c.cases))
			if err != nil || string(got) != c.want {
				t.Errorf("the summary is\n%s, %v\nwant\n%s", got, err, c.want)
			}
		})
	}
}

func TestSummaryHasItsOwnCases(t *testing.T) {
	cases := []Case{{"a", Pass, "x"}}
	s := Summarize(Full, cases)
	cases[0].ID = "b"
	if s.Cases[0].ID != "a" {
		t.Error("the summary changed with the list that it was made from")
	}
}
