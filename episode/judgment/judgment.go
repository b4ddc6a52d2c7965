package judgment

import (
	"fmt"
	"slices"
	"strings"
)

// A Grade is what a judgment comes to. Grades are not ordered.
type Grade uint8

// The grades.
const (
	NotJudged    Grade = iota // there is nothing to judge it by
	Met                       //
	NotMet                    //
	Undetermined              // it is too early, or the evidence does not say
	Reported                  // the reason says what there was; whether that is good is not judged
)

// The texts are part of what is published: they are never renamed.
var gradeNames = []string{"not judged", "met", "not met", "undetermined", "reported"}

// String returns the grade's text, such as "not met", or "Grade(200)" for no grade of this
// package.
func (g Grade) String() string {
	if int(g) >= len(gradeNames) {
		return fmt.Sprintf("Grade(%d)", uint8(g))
	}
	return gradeNames[g]
}

// MarshalText returns what String does; a value that is not of this package is an error.
func (g Grade) MarshalText() ([]byte, error) {
	if int(g) >= len(gradeNames) {
		return nil, fmt.Errorf("write grade: %d is none; use one of %s", uint8(g), strings.Join(gradeNames, ", "))
	}
	return []byte(gradeNames[g]), nil
}

// UnmarshalText reads exactly what MarshalText writes.
func (g *Grade) UnmarshalText(text []byte) error {
	at := slices.Index(gradeNames, string(text))
	if at < 0 {
		return fmt.Errorf("read grade: %.40q is none; use one of %s", text, strings.Join(gradeNames, ", "))
	}
	*g = Grade(at)
	return nil
}

// A Judgment is a grade, and why.
type Judgment struct {
	Grade  Grade  `json:"grade"`
	Reason string `json:"reason"`
}

// A Vector has the eight judgments of one episode.
type Vector struct {
	RunCompletion      Judgment `json:"run_completion"`      // whether it ended, however it did
	TaskSuccess        Judgment `json:"task_success"`        // whether the outcome is accepted, however it came about
	ServiceFulfillment Judgment `json:"service_fulfillment"` // whether it ended as fulfilled
	Authority          Judgment `json:"authority"`           // whether all that was dispatched was admitted and reserved
	Continuity         Judgment `json:"continuity"`          // whether replaced carriers have no authority left
	Evidence           Judgment `json:"evidence"`            // whether what was relied on, and what is mandatory, is accepted
	HumanWork          Judgment `json:"human_work"`          // what people were asked for; never met or not met
	StakeholderValue   Judgment `json:"stakeholder_value"`   // whether what stakeholders declared is accepted
}

// A Row compares one judgment of two vectors.
type Row struct {
	Judgment string `json:"judgment"` // "service fulfillment"
	A        Grade  `json:"a"`
	B        Grade  `json:"b"`
	Why      string `json:"why"`
}

// fields lists the judgments, in the order of the source.
var fields = []struct {
	name string
	of   func(Vector) Judgment
}{
	{"run completion", func(v Vector) Judgment { return v.RunCompletion }},
	{"task success", func(v Vector) Judgment { return v.TaskSuccess }},
	{"service fulfillment", func(v Vector) Judgment { return v.ServiceFulfillment }},
	{"authority", func(v Vector) Judgment { return v.Authority }},
	{"continuity", func(v Vector) Judgment { return v.Continuity }},
	{"evidence", func(v Vector) Judgment { return v.Evidence }},
	{"human work", func(v Vector) Judgment { return v.HumanWork }},
	{"stakeholder value", func(v Vector) Judgment { return v.StakeholderValue }},
}

// Compare returns eight rows, always in the same order. It does not say which vector is
// better.
func Compare(a, b Vector) []Row {
	rows := make([]Row, 0, len(fields))
	for _, f := range fields {
		a, b := f.of(a), f.of(b)
		why := "both: " + a.Reason
		if a.Reason != b.Reason {
			why = "A: " + a.Reason + "; B: " + b.Reason
		}
		rows = append(rows, Row{Judgment: f.name, A: a.Grade, B: b.Grade, Why: why})
	}
	return rows
}
