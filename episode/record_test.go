package episode

import (
	"fmt"
	"reflect"
	"testing"
)

// There is nothing to call on a record that could take an entry away, and nothing to reach
// into.
func TestRecordOnlyGrows(t *testing.T) {
	r := reflect.TypeFor[*Record]()
	var methods []string
	for i := range r.NumMethod() {
		methods = append(methods, r.Method(i).Name)
	}
	if got, want := fmt.Sprint(methods), "[Append Entries]"; got != want {
		t.Errorf("the methods are %s, want %s", got, want)
	}
	for _, f := range append(reflect.VisibleFields(r.Elem()), reflect.VisibleFields(reflect.TypeFor[Episode]())...) {
		if f.IsExported() {
			t.Errorf("%s is exported", f.Name)
		}
	}
}

func TestRecordCopies(t *testing.T) {
	var r Record
	if got := r.Entries(); len(got) != 0 {
		t.Errorf("the zero record has %v", got)
	}
	findings := []Finding{{"g", Pass, "it passes"}}
	for want := range uint64(3) {
		if seq := r.Append(Entry{Seq: 99, Kind: "admission", Decision: Decision{Findings: findings}}); seq != want+1 {
			t.Errorf("entry %d has number %d", want, seq)
		}
	}
	want := fmt.Sprintf("%#v", r.Entries()) // not by String, which leaves findings out
	findings[0].Answer = Deny               // what went in
	out := r.Entries()
	out[0].Kind, out[1].Decision.Findings[0].Reason = "spoilt", "spoilt" // what came out
	_ = append(out[:1], Entry{Kind: "spoilt"})
	if got := fmt.Sprintf("%#v", r.Entries()); got != want {
		t.Errorf("history has changed: %s", got)
	}
	for i, e := range r.Entries() {
		if e.Seq != uint64(i)+1 {
			t.Errorf("entry %d has number %d", i, e.Seq)
		}
	}
}
