package cases

import (
	"fmt"

	"example.com/commitpoint/episode"
)

// steps has what each kind of step calls. A case from Load has the fields that it needs; one
// that was made otherwise may lack them, so that they are checked again.
var steps = map[string]struct {
	needs []string
	call  func(*episode.Episode, Step) error
}{
	"observe": {[]string{"by"}, func(e *episode.Episode, s Step) error {
		_, err := e.Observe(s.By)
		return err
	}},
	"admit": {[]string{"intent"}, func(e *episode.Episode, s Step) error {
		_, err := e.Admit(*s.Intent)
		return err
	}},
	"reserve":     {[]string{"on"}, func(e *episode.Episode, s Step) error { return e.Reserve(s.On) }},
	"dispatch":    {[]string{"on"}, func(e *episode.Episode, s Step) error { return e.Dispatch(s.On) }},
	"acknowledge": {[]string{"on"}, func(e *episode.Episode, s Step) error { return e.Acknowledge(s.On) }},
	"release":     {[]string{"on"}, func(e *episode.Episode, s Step) error { return e.Release(s.On) }},
	"bypass":      {[]string{"intent"}, func(e *episode.Episode, s Step) error { return e.Bypass(*s.Intent) }},
	"report":      {[]string{"by", "on", "value"}, func(e *episode.Episode, s Step) error { return e.Report(s.By, s.On, s.Value) }},
	"timeout":     {[]string{"on"}, func(e *episode.Episode, s Step) error { return e.Timeout(s.On) }},
	"review":      {[]string{"by", "on", "value"}, func(e *episode.Episode, s Step) error { return e.Review(s.By, s.On, s.Value) }},
	"delegate":    {[]string{"delegation"}, func(e *episode.Episode, s Step) error { return e.Delegate(*s.Delegation) }},
	"revoke":      {[]string{"by", "on"}, func(e *episode.Episode, s Step) error { return e.Revoke(s.By, s.On) }},
	"approve":     {[]string{"by", "on"}, func(e *episode.Episode, s Step) error { return e.Approve(s.By, s.On) }},
	"replace":     {[]string{"on", "value"}, func(e *episode.Episode, s Step) error { return e.Replace(s.On, s.Value) }},
	"govern":      {[]string{"value"}, func(e *episode.Episode, s Step) error { return e.Govern(s.Value, s.Forbidden...) }},
	"propose":     {[]string{"commitment"}, func(e *episode.Episode, s Step) error { return e.Propose(*s.Commitment) }},
	"agree":       {[]string{"by", "on"}, func(e *episode.Episode, s Step) error { return e.Agree(s.On, s.By) }},
	"discharge":   {[]string{"on"}, func(e *episode.Episode, s Step) error { return e.Discharge(s.On) }},
	"transfer":    {[]string{"by", "on", "value"}, func(e *episode.Episode, s Step) error { return e.Transfer(s.By, s.On, s.Value) }},
	"close": {[]string{"value"}, func(e *episode.Episode, s Step) error {
		var ending episode.Ending
		if err := ending.UnmarshalText([]byte(s.Value)); err != nil {
			return err
		}
		_, err := e.Close(ending)
		return err
	}},
}

// take makes a step.
func (s Step) take(e *episode.Episode) error {
	kind, known := steps[s.Do]
	if !known {
		return fmt.Errorf("%q is no step; use one that the schema of cases has", s.Do)
	}
	there := map[string]bool{
		"by": s.By != "", "on": s.On != "", "value": s.Value != "",
		"intent": s.Intent != nil, "delegation": s.Delegation != nil, "commitment": s.Commitment != nil,
	}
	for _, need := range kind.needs {
		if !there[need] {
			return fmt.Errorf("%s: it lacks %q; add it", s.Do, need)
		}
	}
	return kind.call(e, s)
}
