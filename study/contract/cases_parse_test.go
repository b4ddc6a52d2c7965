package contract

import (
	"fmt"
	"strings"
	"testing"

	"example.com/commitpoint/enumerate"
)

// whole is a case that holds; lines are changed for those that don't.
const whole = `# An incident.
case: made-up
report: nowhere 1
about: a task is cancelled, and completed all the same

chain: a:read a:candidate a:verify a:commit
free: cancel renew
before: renew < cancel
mechanism: without-active
expect: unsafe-accept active
story: a:read a:candidate a:verify cancel a:commit
`

// with returns the case with the line of a key replaced.
func with(key, line string) string {
	before, rest, _ := strings.Cut(whole, "\n"+key+": ")
	_, after, _ := strings.Cut(rest, "\n")
	if line == "" {
		return before + "\n" + after
	}
	return before + "\n" + line + "\n" + after
}

func run(t testing.TB, text string) (summary string, err error) {
	t.Helper()
	c, err := ParseCase("f.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := c.Run(t.Context(), enumerate.Options{})
	return trace.Summary + " after " + strings.Join(trace.Schedule, " "), err
}

// A text is all that a new case needs.
func TestCaseAddedAsText(t *testing.T) {
	c, err := ParseCase("f.txt", whole)
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "made-up" || c.Report != "nowhere 1" || c.Mechanism.Name != "without-active" || c.Breaks != "" || c.Reason != "active" ||
		!strings.HasPrefix(c.About, "a task is cancelled, ") || len(c.Story) != 5 {
		t.Errorf("it reads as %+v", c)
	}
	orders, err := c.Scenarios()
	if err != nil || len(orders) != 4 || orders[3].String() != "{a:read, a:candidate, a:verify, a:commit, cancel, renew}" {
		t.Errorf("scenarios %v, %v", orders, err)
	}
	tests := []struct{ name, reason, text, want string }{
		{"whole", "as it is", whole, "without-active: unsafe-accept active after a:read a:candidate a:verify cancel a:commit"},
		{"no story", "the shortest history, whatever it is", with("story", ""), "without-active: unsafe-accept active after a:read a:candidate a:verify cancel a:commit"},
		{"any reason", "the first there is", with("expect", "expect: unsafe-accept"), "without-active: unsafe-accept active after a:read a:candidate a:verify cancel a:commit"},
		{"other line ends", "carriage returns, and none at the end", strings.ReplaceAll(strings.TrimSpace(whole), "\n", "\r\n"),
			"without-active: unsafe-accept active after a:read a:candidate a:verify cancel a:commit"},
		{"two chains", "one for each actor", with("free", "chain: b:claim\nfree: cancel renew"),
			"without-active: unsafe-accept active after a:read a:candidate a:verify cancel a:commit"},
		{"nothing free", "one scenario", "case: x\nchain: a:read a:candidate a:commit\nmechanism: own-receipts\nexpect: unsafe-accept evidence",
			"own-receipts: unsafe-accept evidence after a:read a:candidate a:commit"},
		{"a reason that is not the first", "of several mistakes", "case: x\nchain: a:read a:commit\nmechanism: without dependencies bases criteria\nexpect: unsafe-accept bases",
			"without-dependencies-bases-criteria: unsafe-accept bases after a:read a:commit"},
		{"eligible-reject", "what is refused wrongly", "case: x\nchain: a:read a:candidate a:verify a:commit a:retry\nmechanism: without-identity\nexpect: eligible-reject bases",
			"without-identity: eligible-reject bases after a:read a:candidate a:verify a:commit a:retry"},
		{"a decision that breaks", "an invariant, rightly decided", "case: x\nchain: a:read a:candidate-pair a:verify a:commit\nmechanism: torn-publication\n" +
			"expect: breaks a publication changes all of its targets or none",
			`torn-publication: breaks "a publication changes all of its targets or none" after a:read a:candidate-pair a:verify a:commit`},
		{"what breaks is no decision", "an invariant, by another writer", "case: x\nchain: b:claim a:report-failure\nmechanism: unguarded-failure\n" +
			"expect: breaks whoever has lost the task changes nothing",
			`unguarded-failure: breaks "whoever has lost the task changes nothing" after b:claim a:report-failure`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := run(t, tt.text); err != nil || got != tt.want {
				t.Errorf("%s, %v; want %s: %s", got, err, tt.want, tt.reason)
			}
		})
	}
}

func TestParseCaseRefuses(t *testing.T) {
	const keys = "write KEY: VALUE, where KEY is one of case, report, about, chain, free, before, mechanism, expect, story"
	const reasons = "active; caller; ownership; lease; scope; grant; contract; dependencies; bases; evidence; identity"
	const predicates = "active; caller; attempt; fence; incarnation; lease; scope; grant; contract; dependencies; bases; binding; criteria; identity"
	const invariants = "a terminal status is never overwritten; a task has one terminal write; a publication changes all of its targets or none; " +
		"an identical retry is never refused; whoever has lost the task changes nothing; a refused request changes nothing"
	many := "a:read"
	for n := range 64 {
		many += fmt.Sprintf(" a:read#%d", n+2)
	}
	tests := []struct{ name, text, want string }{
		{"unknown key", with("report", "chian: a:read"), `f.txt:3: "chian: a:read" is no line of a case: ` + keys},
		{"key in capitals", with("report", "Chain: a:read"), `f.txt:3: "Chain: a:read" is no line of a case: ` + keys},
		{"no colon", with("report", "chain"), `f.txt:3: "chain" is no line of a case: ` + keys},
		{"no key", with("report", ": a:read"), `f.txt:3: ": a:read" is no line of a case: ` + keys},
		{"a long line", with("report", strings.Repeat("x", 1000)), `f.txt:3: "` + strings.Repeat("x", 40) + `" is no line of a case: ` + keys},
		{"no text", "\x7fELF\x02\x01", `f.txt:1: "\x7fELF\x02\x01" is no line of a case: ` + keys},
		{"missing value", with("report", "report:"), "f.txt:3: report has no value: give it one or leave the line out"},
		{"value of spaces", with("free", "free: \t"), "f.txt:7: free has no value: give it one or leave the line out"},
		{"duplicate key", with("report", "case: other"), "f.txt:3: case was given in line 2 already: leave one out"},
		{"free twice", with("before", "free: cancel#2"), "f.txt:8: free was given in line 7 already: leave one out"},

		{"name with spaces", with("case", "case: made up"), `f.txt:2: the name "made up" has spaces or slashes: join its words with -`},
		{"name with a slash", with("case", "case: made/up"), `f.txt:2: the name "made/up" has spaces or slashes: join its words with -`},
		{"worker's event without worker", with("chain", "chain: read"), `f.txt:6: event "read" is a worker's: write a:read or b:read`},
		{"event with a bad number", with("free", "free: cancel#1"), `f.txt:7: event "cancel#1" has a bad number: repeated events are cancel#2, cancel#3, … up to #255`},
		{"an event twice in a line", with("chain", "chain: a:read a:commit a:read"), "f.txt:6: a:read is in line 6 already: number repeated events, as in a:read#2, a:read#3"},
		{"an event in two lines", with("free", "free: cancel a:verify renew"), "f.txt:7: a:verify is in line 6 already: number repeated events, as in a:verify#2, a:verify#3"},
		{"a numbered event twice", with("free", "free: cancel#2 cancel#2"), "f.txt:7: cancel#2 is in line 7 already: number repeated events, as in cancel#2, cancel#3"},
		{"too many events", with("chain", "chain: "+many), "f.txt:6: order has 67 events, at most 64 are possible: a:read#65 is one too many"},
		{"too many free events", with("free", "free: renew cancel migrate revoke revoke-second regrant input-edit file-add foreign-publish alias-move restage"),
			"f.txt:7: 11 events that happen or not make 2^11 scenarios: use at most 10"},

		{"before without a sign", with("before", "before: renew cancel"), `f.txt:8: "renew cancel" orders nothing: write FIRST < THEN`},
		{"before without an event", with("before", "before: renew <"), `f.txt:8: "renew <" orders nothing: write FIRST < THEN`},
		{"before with three", with("before", "before: renew < cancel < a:commit"), `f.txt:8: "renew < cancel < a:commit" orders nothing: write FIRST < THEN`},
		{"before with what does not happen", with("before", "before: renew<cancel\nbefore: b:commit < cancel"),
			"f.txt:9: b:commit does not happen: add it to a chain or to those that are free"},
		{"cyclic order", with("before", "before: a:commit < cancel\nbefore: cancel < a:read"),
			"f.txt:9: order has a cycle through a:read, a:candidate, a:verify, a:commit, cancel: no schedule can have each of them before itself"},
		{"before itself", with("before", "before: cancel < cancel"), "f.txt:8: order has a cycle through cancel: no schedule can have each of them before itself"},

		{"unknown predicate", with("mechanism", "mechanism: without leese"),
			"f.txt:9: unknown predicate \"leese\": the predicates are " + strings.ReplaceAll(strings.TrimSuffix(predicates, "; identity"), ";", ",")},
		{"nothing to expect", with("expect", "expect: unsafe-reject"), `f.txt:10: "unsafe-reject" is nothing to expect: write unsafe-accept or eligible-reject, or breaks and an invariant`},
		{"unknown reason", with("expect", "expect: unsafe-accept fence"), `f.txt:10: unknown reason or invariant "fence": there are ` + reasons},
		{"unknown predicate that refuses", with("expect", "expect: eligible-reject evidence"), `f.txt:10: unknown reason or invariant "evidence": there are ` + predicates},
		{"unknown invariant", with("expect", "expect: breaks everything"), `f.txt:10: unknown reason or invariant "everything": there are ` + invariants},
		{"no invariant", with("expect", "expect: breaks"), "f.txt:10: breaks names no invariant: there are " + invariants},

		{"no name", with("case", ""), "f.txt:1: the case has no line case: add one"},
		{"no chain", with("chain", ""), "f.txt:1: the case has no line chain: add one"},
		{"no mechanism", with("mechanism", ""), "f.txt:1: the case has no line mechanism: add one"},
		{"no expectation", with("expect", ""), "f.txt:1: the case has no line expect: add one"},
		{"nothing", "", "f.txt:1: the case has no line case: add one"},
		{"huge", strings.Repeat("# nothing\n", 6554), "f.txt:1: more than 65536 bytes are no case: choose another file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ParseCase("f.txt", tt.text); err == nil || err.Error() != tt.want {
				t.Errorf("error %v\nwant %s", err, tt.want)
			}
		})
	}
}

// What is not called anything is listed, in each line that takes names.
func TestParseCaseListsNames(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"chain", with("chain", "chain: a:read a:comit"), `f.txt:6: unknown event "a:comit": the events are a:claim, a:read, `},
		{"free", with("free", "free: cancell"), `f.txt:7: unknown event "cancell": the events are a:claim, `},
		{"before", with("before", "before: renew < cancell"), `f.txt:8: unknown event "cancell": the events are a:claim, `},
		{"story", with("story", "story: a:red"), `f.txt:11: unknown event "a:red": the events are a:claim, `},
		{"mechanism", with("mechanism", "mechanism: atomic"), `f.txt:9: unknown mechanism "atomic": the mechanisms are complete, `},
	}
	for _, tt := range tests {
		if _, err := ParseCase("f.txt", tt.text); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: error %v\nwant %s…", tt.name, err, tt.want)
		}
	}
}

func TestLargestCase(t *testing.T) {
	if _, err := ParseCase("f.txt", whole+strings.Repeat("#", 64<<10-len(whole))); err != nil {
		t.Errorf("a case of 64 KiB, mostly of a comment: %v", err)
	}
}

func TestDistinct(t *testing.T) {
	parse := func(file, text string) Case {
		c, err := ParseCase(file, text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, again, other := parse("a.txt", whole), parse("b.txt", whole), parse("c.txt", with("case", "case: other"))
	if err := Distinct([]Case{first, other}); err != nil {
		t.Error(err)
	}
	const want = "b.txt:2: there is a case made-up in a.txt already: choose another name"
	if err := Distinct([]Case{first, other, again}); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if err := Distinct(nil); err != nil {
		t.Errorf("no cases: %v", err)
	}
}

// What does not hold is said with what does.
func TestRunCaseRefuses(t *testing.T) {
	const doesNot = "f.txt:10: without-active does not do that in any order of these events; what it does: "
	const overwrites = `breaks "a terminal status is never overwritten"`
	tests := []struct{ name, reason, text, want string }{
		{"another reason", "what it does has another", with("expect", "expect: unsafe-accept lease"),
			doesNot + "unsafe-accept active; " + overwrites},
		{"another kind", "what it does is of another", with("expect", "expect: eligible-reject"),
			doesNot + "unsafe-accept active; " + overwrites},
		{"nothing wrong", "the complete mechanism never does", with("mechanism", "mechanism: complete"),
			"f.txt:10: complete does not do that in any order of these events; what it does: nothing wrong"},
		{"an invariant, not a decision", "both are told", "case: x\nchain: b:claim a:report-failure a:commit\nmechanism: unguarded-failure\nexpect: unsafe-accept",
			`f.txt:4: unguarded-failure does not do that in any order of these events; what it does: breaks "whoever has lost the task changes nothing"`},
		{"a decision, not an invariant", "both are told", with("expect", "expect: breaks a task has one terminal write"),
			doesNot + "unsafe-accept active; " + overwrites},
		{"wrong story", "the order is another", with("story", "story: a:read a:candidate cancel a:verify a:commit"),
			"f.txt:11: the shortest history is another: a:read a:candidate a:verify cancel a:commit"},
		{"story too long", "it is shorter", with("story", "story: renew a:read a:candidate a:verify cancel a:commit"),
			"f.txt:11: the shortest history is another: a:read a:candidate a:verify cancel a:commit"},
		{"known unsoundness", "no mechanism is right about it", with("free", "free: restart-fences restart-attempts reclaim cancel renew"),
			"f.txt:6: the complete mechanism is wrong (unsafe-accept ownership), after a:read a:candidate a:verify restart-fences restart-attempts reclaim a:commit: " +
				"either no contract could tell, as when both counters are lost in one incarnation, or this one lacks an obligation"},
		{"known unsoundness of a report", "an invariant", with("chain", "chain: restart-fences restart-attempts reclaim a:report-failure"),
			`f.txt:6: the complete mechanism is wrong (breaks "whoever has lost the task changes nothing"), ` +
				"after restart-fences restart-attempts reclaim a:report-failure: either no contract could tell, as when both counters are lost in one incarnation, or this one lacks an obligation"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := run(t, tt.text); err == nil || err.Error() != tt.want {
				t.Errorf("error %v\nwant %s: %s", err, tt.want, tt.reason)
			}
		})
	}
}
