package episode

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// always returns a guard that always gives an answer.
func always(name string, a Answer) Guard {
	return Guard{Name: name, Check: func(View, Intent) (Answer, string) { return a, "because of " + name }}
}

// dumb decides by the sentence of the source, without an order of answers.
func dumb(answers []Answer) (text string) {
	has := func(a Answer) bool { return slices.Contains(answers, a) }
	switch {
	case has(NoAnswer):
		return "error"
	case has(Deny):
		return "DENY"
	case has(Escalate):
		return "ESCALATE"
	case has(Hold):
		return "HOLD"
	}
	return "ALLOW"
}

// Every combination of answers of the six guards, and of those and one more.
func TestAdmitEveryAnswer(t *testing.T) {
	tests := []struct {
		name string
		own  []string
		want map[string]int // one ALLOW, and so on: 4^n - 3^n of n guards deny
	}{
		{"six", nil, map[string]int{"ALLOW": 1, "HOLD": 63, "ESCALATE": 665, "DENY": 3367, "error": 11529}},
		{"six and one of one's own", []string{"quiet hours"},
			map[string]int{"ALLOW": 1, "HOLD": 127, "ESCALATE": 2059, "DENY": 14197, "error": 61741}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for _, g := range Guards() {
				names = append(names, g.Name)
			}
			names = append(names, tt.own...)
			got := map[string]int{}
			answers := make([]Answer, len(names))
			for more := true; more; more = next(answers) {
				got[admit(t, names, answers)]++
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// The whole table: what the six guards answer, in any order, and what comes of it. Every
// one of the 15,625 combinations is looked up in it.
func TestAdmissionTable(t *testing.T) {
	var names []string
	for _, g := range Guards() {
		names = append(names, g.Name)
	}
	rows, combinations := map[[5]int]string{}, map[[5]int]int{} // by how many guards give each answer
	answers := make([]Answer, len(names))
	for more := true; more; more = next(answers) {
		var row [5]int
		for _, a := range answers {
			row[a]++
		}
		came := admit(t, names, answers)
		if before, ok := rows[row]; ok && before != came {
			t.Fatalf("%v come to %s, and in another order to %s", answers, came, before)
		}
		rows[row] = came
		combinations[row]++
	}
	var b strings.Builder
	b.WriteString("pass hold escalate deny silent  comes to  combinations\n")
	for _, row := range slices.SortedFunc(maps.Keys(rows), func(a, b [5]int) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(&b, "%4d %4d %8d %4d %6d  %-8s  %12d\n", row[Pass], row[Hold], row[Escalate], row[Deny], row[NoAnswer], rows[row], combinations[row])
	}
	golden(t, "admission.golden", b.String())
}

// next counts up in base 5, and reports false at the end.
func next(digits []Answer) bool {
	for i := range digits {
		if digits[i]++; digits[i] <= Deny {
			return true
		}
		digits[i] = NoAnswer
	}
	return false
}

// admit checks one combination, and returns what came of it.
func admit(t *testing.T, names []string, answers []Answer) string {
	t.Helper()
	var guards []Guard
	for i, name := range names {
		guards = append(guards, always(name, answers[i]))
	}
	d, err := Admit(View{Version: 7}, Intent{ID: "buy", Carrier: "agent"}, guards...)
	want := dumb(answers)
	if want == "error" {
		at := slices.Index(answers, NoAnswer)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("admit \"buy\": guard %q gives no answer, since because of %s", names[at], names[at])) || d.Answer != NoAnswer || d.Findings != nil {
			t.Fatalf("%v: decision %+v, error %v", answers, d, err)
		}
		return want
	}
	if err != nil || d.String() != want || d.Action != "buy" || d.Carrier != "agent" || d.Version != 7 || len(d.Findings) != len(names) {
		t.Fatalf("%v: decision %+v, error %v, want %s", answers, d, err, want)
	}
	var because []Finding
	for i, f := range d.Findings {
		if f != (Finding{names[i], answers[i], "because of " + names[i]}) {
			t.Fatalf("%v: finding %d is %+v", answers, i, f)
		}
		if f.Answer == d.Answer {
			because = append(because, f)
		}
	}
	if !slices.Equal(d.Because(), because) {
		t.Fatalf("%v: because %v, want %v", answers, d.Because(), because)
	}
	return want
}

func TestAdmitRefusesGuards(t *testing.T) {
	only := func(action string) func(Intent) bool { return func(in Intent) bool { return in.Action == action } }
	buys := always("buys", Pass)
	buys.Applies = only("buy")
	sells := always("sells", Deny)
	sells.Applies = only("sell")
	tests := []struct {
		name   string
		guards []Guard
		want   string // the decision, or the error
	}{
		{"none", nil, `admit "x": no guard applies to it; add one that does`},
		{"none that applies", []Guard{sells}, `admit "x": no guard applies to it; add one that does`},
		{"one that applies", []Guard{buys}, "ALLOW"},
		{"one that applies, and one that does not", []Guard{sells, buys}, "ALLOW"},
		{"one that always applies", []Guard{sells, always("g", Hold)}, "HOLD"},
		{"without a name", []Guard{always("g", Pass), always("", Pass)}, `admit "x": guard 2 has no name; give it one`},
		{"without a check", []Guard{{Name: "g"}}, `admit "x": guard "g" has no Check; give it one`},
		{"of one name", []Guard{always("g", Pass), always("h", Pass), always("g", Pass)}, `admit "x": there are two guards "g"; rename one`},
		{"of one name, one of which does not apply", []Guard{buys, {Name: "buys", Check: sells.Check, Applies: sells.Applies}}, `admit "x": there are two guards "buys"; rename one`},
		{"an answer that there is not", []Guard{always("g", Deny+1)}, `admit "x": guard "g" gives no answer, since because of g; without one nothing is admitted`},
		{"no answer and no reason", []Guard{{Name: "g", Check: func(View, Intent) (Answer, string) { return NoAnswer, "" }}},
			`admit "x": guard "g" gives no answer, since it has no reason; without one nothing is admitted`},
		{"no answer behind a denial", []Guard{always("g", Deny), always("h", NoAnswer)}, `admit "x": guard "h" gives no answer, since because of h; without one nothing is admitted`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Admit(View{}, Intent{ID: "x", Action: "buy"}, tt.guards...)
			got := d.String()
			if err != nil {
				got = err.Error()
				if d.Answer != NoAnswer || d.Findings != nil || d.Action != "" {
					t.Errorf("an error, and the decision %+v", d)
				}
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	silent := Guard{Name: "silent", Check: func(View, Intent) (Answer, string) { return Hold, "" }}
	if d, err := Admit(View{}, Intent{ID: "x"}, silent); err != nil || d.Findings[0].Reason != "no reason given" {
		t.Errorf("without a reason it is %+v, error %v", d, err)
	}
	if got := (Decision{}).String(); got != "NO ANSWER" {
		t.Errorf("the zero decision is %s", got)
	}
}

// A guard gets copies: what it writes, neither another guard nor the caller sees.
func TestAdmitGivesCopies(t *testing.T) {
	v := View{Approved: []string{"a"}, Forbidden: []string{"a"}, Resources: []string{"a"}, Met: []string{"a"}, Dispatched: []string{"a"}, Holds: []Reservation{{Action: "a"}},
		Delegation: Delegation{Actions: []string{"a"}}, Facts: []Fact{{Name: "a", Sources: []string{"a"}}}}
	in := Intent{ID: "x", After: []string{"a"}, Evidence: []string{"a"}}
	spoil := func(v View, in Intent) {
		for _, s := range [][]string{v.Approved, v.Forbidden, v.Resources, v.Met, v.Dispatched, v.Delegation.Actions, v.Facts[0].Sources, in.After, in.Evidence} {
			s[0] = "spoilt"
		}
		v.Holds[0].Action, v.Facts[0].Name = "spoilt", "spoilt"
	}
	want := fmt.Sprintf("%+v %+v", v, in)
	writes := Guard{Name: "writes", Check: func(v View, in Intent) (Answer, string) {
		spoil(v, in)
		return Pass, "it wrote"
	}, Applies: func(in Intent) bool {
		in.After[0] = "spoilt"
		return true
	}}
	reads := Guard{Name: "reads", Check: func(v View, in Intent) (Answer, string) {
		if got := fmt.Sprintf("%+v %+v", v, in); got != want {
			t.Errorf("the next guard sees %s", got)
		}
		return Pass, "it read"
	}}
	if _, err := Admit(v, in, writes, reads); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprintf("%+v %+v", v, in); got != want {
		t.Errorf("the caller sees %s", got)
	}
}
