package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/commitpoint/episode"
	"example.com/commitpoint/episode/judgment"
	"example.com/commitpoint/episode/schema"
)

func load(t *testing.T, name string) Case {
	t.Helper()
	c, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Whatever a case expects can fail: each expectation is left out, one at a time, and made
// wrong.
func TestExpectationsCanFail(t *testing.T) {
	total := 0
	for _, name := range Names() {
		x := load(t, name).Expect
		spoil := map[string]func(*Expectation){
			"one decision more": func(x *Expectation) {
				x.Decisions = append(slices.Clip(x.Decisions), Decided{Action: "x", Decision: "ALLOW"})
			},
			"one refusal more":  func(x *Expectation) { x.Refused = append(slices.Clip(x.Refused), Refused{99, "x"}) },
			"one dispatch more": func(x *Expectation) { x.Dispatched = append(slices.Clip(x.Dispatched), "x") },
			"one debt more":     func(x *Expectation) { x.Owed = append(slices.Clip(x.Owed), "x") },
			"an unknown fact":   func(x *Expectation) { x.Facts = []episode.Fact{{Name: "x", Status: episode.Accepted}} },
			"another ending":    func(x *Expectation) { x.Closure = &episode.Closure{Ending: episode.Breached} },
			"unknown judgment":  func(x *Expectation) { x.Judgments = map[string]judgment.Grade{"score": judgment.Met} },
		}
		for i := range x.Decisions {
			spoil[fmt.Sprint("without decision ", i)] = func(x *Expectation) { x.Decisions = slices.Delete(slices.Clone(x.Decisions), i, i+1) }
			spoil[fmt.Sprint("another action in decision ", i)] = func(x *Expectation) { x.Decisions = slices.Clone(x.Decisions); x.Decisions[i].Action = "x" }
			spoil[fmt.Sprint("another decision ", i)] = func(x *Expectation) { x.Decisions = slices.Clone(x.Decisions); x.Decisions[i].Decision = "x" }
			spoil[fmt.Sprint("another reason in decision ", i)] = func(x *Expectation) {
				x.Decisions = slices.Clone(x.Decisions)
				x.Decisions[i].Because = []Reason{{"freshness", "x"}}
			}
		}
		for i := range x.Refused {
			spoil[fmt.Sprint("without refusal ", i)] = func(x *Expectation) { x.Refused = slices.Delete(slices.Clone(x.Refused), i, i+1) }
			spoil[fmt.Sprint("another step in refusal ", i)] = func(x *Expectation) { x.Refused = slices.Clone(x.Refused); x.Refused[i].Step++ }
			spoil[fmt.Sprint("another reason in refusal ", i)] = func(x *Expectation) { x.Refused = slices.Clone(x.Refused); x.Refused[i].Because = "x" }
		}
		if len(x.Dispatched) > 0 {
			spoil["without dispatches"] = func(x *Expectation) { x.Dispatched = nil }
		}
		if len(x.Owed) > 0 {
			spoil["without debts"] = func(x *Expectation) { x.Owed = nil }
		}
		for i := range x.Facts {
			spoil[fmt.Sprint("another value of fact ", i)] = func(x *Expectation) { x.Facts = slices.Clone(x.Facts); x.Facts[i].Value += "x" }
			spoil[fmt.Sprint("another status of fact ", i)] = func(x *Expectation) { x.Facts = slices.Clone(x.Facts); x.Facts[i].Status = episode.Observed }
		}
		if x.Closure != nil && x.Closure.Ending != episode.Open {
			spoil["without closure"] = func(x *Expectation) { x.Closure = nil }
		}
		if x.Closure != nil {
			spoil["one block more"] = func(x *Expectation) {
				x.Closure = &episode.Closure{Ending: x.Closure.Ending, Blocks: append(slices.Clip(x.Closure.Blocks), "x")}
			}
		}
		if x.Closure != nil && len(x.Closure.Blocks) > 0 {
			spoil["without blocks"] = func(x *Expectation) { x.Closure = &episode.Closure{Ending: x.Closure.Ending} }
		}
		for j := range x.Judgments {
			spoil["another "+j] = func(x *Expectation) { x.Judgments = map[string]judgment.Grade{j: judgment.NotJudged} }
		}
		for what, change := range spoil {
			total++
			c := load(t, name)
			change(&c.Expect)
			o, err := Run(c)
			if !errors.Is(err, ErrDiffers) && !(len(c.Expect.Decisions) == 0 && c.Expect.Closure == nil) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			if errors.Is(err, ErrDiffers) && o.Case != name {
				t.Errorf("%s, %s: the outcome is not complete", name, what)
			}
		}
	}
	if total != 310 {
		t.Errorf("%d expectations were spoilt, want 310", total)
	}
}

// The same of the steps: without any one of them, something else comes of a case. What is
// refused changes nothing, and is left out here.
func TestStepsMatter(t *testing.T) {
	var idle []string
	for _, name := range Names() {
		for i, s := range load(t, name).Steps {
			c := load(t, name)
			c.Steps = slices.Delete(c.Steps, i, i+1)
			refused := false
			for j, r := range c.Expect.Refused {
				refused = refused || r.Step == i+1
				if r.Step > i+1 {
					c.Expect.Refused[j].Step--
				}
			}
			if _, err := Run(c); err == nil && !refused {
				idle = append(idle, fmt.Sprintf("%s/%d:%s", name, i+1, s.Do))
			}
		}
	}
	// These are there to show that they change nothing.
	want := "[F1/1:observe F7/5:acknowledge F7/6:timeout C7/10:report travel-fulfilled/12:acknowledge travel-limit/3:approve travel-limit/4:observe]"
	if got := fmt.Sprint(idle); got != want {
		t.Errorf("the idle steps are %s, want %s", got, want)
	}
}

func TestDifferencesSayWhere(t *testing.T) {
	c := load(t, "C7")
	c.Expect.Decisions[0].Decision = "DENY"
	c.Expect.Refused = c.Expect.Refused[:1]
	c.Expect.Dispatched = append(c.Expect.Dispatched, "more")
	c.Expect.Facts[0].Status = episode.Accepted
	c.Expect.Closure = &episode.Closure{Ending: episode.Fulfilled}
	c.Expect.Judgments = map[string]judgment.Grade{"authority": judgment.NotMet, "score": judgment.Met}
	_, err := Run(c)
	want := strings.Join([]string{
		`C7.json: /expect/decisions/0: it expects DENY of "buy" because [], and there is ALLOW of "buy" because []; correct the expectation or the steps`,
		`C7.json: /expect/refused/1: it expects nothing, and there is step 11 refused because "mandatory wheelchair is contested; settle that, or end it otherwise"; correct the expectation or the steps`,
		`C7.json: /expect/dispatched/1: it expects "more", and there is nothing; correct the expectation or the steps`,
		`C7.json: /expect/facts/0: it expects wheelchair accepted "", and there is contested ""; correct the expectation or the steps`,
		`C7.json: /expect/closure/ending: it expects fulfilled, and there is disputed; correct the expectation or the steps`,
		`C7.json: /expect/closure/blocks/0: it expects nothing, and there is "mandatory wheelchair is contested"; correct the expectation or the steps`,
		`C7.json: /expect/judgments/authority: it expects not met, and there is met (all that was dispatched was admitted and reserved); correct the expectation or the steps`,
		`C7.json: /expect/judgments: it expects a judgment that there is not, and there is none but the eight; correct the expectation or the steps`,
	}, "\n")
	if err == nil || err.Error() != want || !errors.Is(err, ErrDiffers) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// What can't be run is refused, with file, place and remedy.
func TestRunRefuses(t *testing.T) {
	pass := func(episode.View, episode.Intent) (episode.Answer, string) { return episode.Pass, "ok" }
	tests := []struct {
		name   string
		change func(*Case)
		guards []episode.Guard
		want   string
	}{
		{"no expectation", func(c *Case) { c.Expect = Expectation{} }, nil, "F1.json: /expect: it expects no decision and no closure; a case that can't fail shows nothing; add what it expects"},
		{"only a fact", func(c *Case) { c.Expect = Expectation{Facts: []episode.Fact{{Name: "x"}}} }, nil, "F1.json: /expect: it expects no decision and no closure; a case that can't fail shows nothing; add what it expects"},
		{"unknown guard", func(c *Case) { c.Guards = []string{"mine", "other"} }, []episode.Guard{{Name: "mine", Check: pass}},
			`F1.json: /guards/1: guard "other" is unknown; give Run a guard of that name (it has ["mine"]), or leave it out`},
		{"expects an unknown guard", func(c *Case) { c.Expect.Decisions[0].Because[0].Guard = "authorty" }, nil,
			`F1.json: /expect/decisions/0/because/0/guard: guard "authorty" is unknown; use one of ["authority" "prerequisites" "policy" "resource" "evidence" "freshness"]`},
		{"expects a guard that is not asked", func(c *Case) { c.Expect.Decisions[0].Because[0].Guard = "mine" }, []episode.Guard{{Name: "mine", Check: pass}},
			`F1.json: /expect/decisions/0/because/0/guard: guard "mine" is unknown; use one of ["authority" "prerequisites" "policy" "resource" "evidence" "freshness"]`},
		{"terms that are none", func(c *Case) { c.Terms.Policy = "" }, nil, "F1.json: /terms: begin an episode: no policy is in force; name its version"},
		{"unknown step", func(c *Case) { c.Steps[2].Do = "erase" }, nil, `F1.json: /steps/2: "erase" is no step; use one that the schema of cases has`},
		{"step without what it needs", func(c *Case) { c.Steps[1].On = "" }, nil, `F1.json: /steps/1: revoke: it lacks "on"; add it`},
		{"admission of nothing", func(c *Case) { c.Steps[3].Intent = nil }, nil, `F1.json: /steps/3: admit: it lacks "intent"; add it`},
		{"step on what there is not", func(c *Case) { c.Steps[4].On = "x" }, nil, `F1.json: /steps/4: reserve "x": there is no such action; admit it first`},
		{"no such ending", func(c *Case) { c.Steps[4] = Step{Do: "close", Value: "done"} }, nil,
			`F1.json: /steps/4: read ending: "done" is none; use one of open, fulfilled, failed, cancelled, breached, disputed, unresolved`},
		{"no file", func(c *Case) { c.file = ""; c.Steps = []Step{{Do: "erase"}} }, nil, `case F1: /steps/0: "erase" is no step; use one that the schema of cases has`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, "F1")
			tt.change(&c)
			o, err := Run(c, tt.guards...)
			if err == nil || err.Error() != tt.want || errors.Is(err, ErrDiffers) {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
			if o.Case != "" {
				t.Errorf("an error, and the outcome of %s", o.Case)
			}
		})
	}
}

// The schema has the steps that there are, each with what it needs.
func TestStepsAreTheSchemas(t *testing.T) {
	for do, kind := range steps {
		var missing []string
		for _, need := range kind.needs {
			missing = append(missing, fmt.Sprintf("%q", need))
		}
		slices.Sort(missing)
		c := load(t, "F1")
		c.Steps = []Step{{Do: do}}
		_, err := c.Encode()
		if want := "/steps/0: it lacks " + strings.Join(missing, ", ") + "; add it"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v\nwant %s", do, err, want)
		}
	}
	c := load(t, "F1")
	c.Steps = []Step{{Do: "erase"}}
	_, err := c.Encode()
	if err == nil || strings.Count(err.Error(), `"`) != 2*(len(steps)+1) {
		t.Errorf("the schema does not have %d steps: %v", len(steps), err)
	}
}

func TestOwnGuard(t *testing.T) {
	c := load(t, "F2")
	c.Guards = []string{"quiet hours"}
	asked := 0
	quiet := episode.Guard{Name: "quiet hours", Check: func(episode.View, episode.Intent) (episode.Answer, string) {
		asked++
		return episode.Escalate, "it is late"
	}}
	never := episode.Guard{Name: "never", Check: func(episode.View, episode.Intent) (episode.Answer, string) {
		t.Error("a guard is asked that the case does not name")
		return episode.Deny, ""
	}}
	o, err := Run(c, quiet, never)
	if !errors.Is(err, ErrDiffers) || asked != 2 {
		t.Errorf("it was asked %d times, error %v", asked, err)
	}
	if got := fmt.Sprint(o.Steps); !strings.HasPrefix(got, "[done ESCALATE (quiet hours: it is late) refused: the decision is ESCALATE (quiet hours: it is late)") {
		t.Errorf("the steps are %s", got)
	}
}

func TestLoad(t *testing.T) {
	text, err := File("F1")
	if err != nil {
		t.Fatal(err)
	}
	swap := func(old, new string) string { return strings.Replace(string(text), old, new, 1) }
	tests := []struct{ name, text, want string }{
		{"as it is", string(text), ""},
		{"no JSON", "F1", "mine.json: the document is not one JSON text: invalid character 'F' looking for beginning of value; send a JSON object and nothing else"},
		{"another schema", swap("case/v1", "story/v1"), `mine.json: /schema: it is "commitpoint/episode/story/v1"; use "commitpoint/episode/case/v1"`},
		{"a field more", swap(`"id"`, `"note": "x", "id"`), `mine.json: the document: it has "note", which its schema does not know; leave it out`},
		{"a step wrong", swap(`"revoke"`, `"revok"`), `mine.json: /steps/1/do: it is "revok"; use one of "observe"`},
		{"no expectation", swap(`"expect"`, `"expects"`), `mine.json: the document: it has "expects", which its schema does not know; leave it out`},
		{"a guard wrong", swap(`"guard": "authority"`, `"guard": "autority"`), `mine.json: /expect/decisions/0/because/0/guard: guard "autority" is unknown; use one of ["authority"`},
		{"what does not hold", swap(`"DENY"`, `"HOLD"`), `mine.json: /expect/decisions/0: it expects HOLD of "buy" because [{"authority" "traveller has revoked`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mine.json")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := Load(path)
			if err == nil {
				_, err = Run(c)
			}
			want := path + strings.TrimPrefix(tt.want, "mine.json")
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
}

// What is no file, or too large a one, is refused before anything is made of it.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, size := range map[string]int{"most.json": 1 << 20, "more.json": 1<<20 + 1} {
		if err := os.WriteFile(at(name), []byte(strings.Repeat(" ", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ name, path, want string }{
		{"none", at("none.json"), "load a case: open " + at("none.json") + ": no such file or directory; name another file"},
		{"a directory", dir, "load a case: " + dir + " is a directory; name a file in it"},
		{"too large", at("more.json"), "load a case: " + at("more.json") + " has more than 1048576 bytes; name a file that is a case"},
		{"just not too large", at("most.json"), at("most.json") + ": the document is not one JSON text: EOF; send a JSON object and nothing else"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Load(tt.path); err == nil || err.Error() != tt.want {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
	if _, err := Load(at("none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// Each line of an error names the file, as it was given.
func TestLoadNamesTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("sub", "..", "mine.json")
	if err := os.WriteFile(path, []byte(`{"schema":"commitpoint/episode/case/v1","note":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load("sub/../mine.json")
	want := "sub/../mine.json: the document: it has \"note\", which its schema does not know; leave it out\n" +
		`sub/../mine.json: the document: it lacks "expect", "id", "rule", "section", "steps", "terms", "title"; add it`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	var all schema.Violations
	if !errors.As(err, &all) || len(all) != 2 {
		t.Errorf("the violations are %v", all)
	}
}

// An action that is known to have had no effect is dispatched again, and both times count.
func TestDispatchedTwice(t *testing.T) {
	c := load(t, "F7")
	in := c.Steps[slices.IndexFunc(c.Steps, func(s Step) bool { return s.Do == "admit" })].Intent
	once := []Step{{Do: "observe", By: in.Carrier}, {Do: "admit", Intent: in}, {Do: "reserve", On: in.ID}, {Do: "dispatch", On: in.ID}}
	c.Steps = append(append(slices.Clone(once), Step{Do: "report", By: c.Terms.Reconciliation.Sources[0], On: in.ID, Value: episode.None}), once...)
	allow := Decided{Action: in.ID, Decision: "ALLOW"}
	c.Expect = Expectation{Decisions: []Decided{allow, allow}, Dispatched: []string{in.ID, in.ID}}
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if c, err = decode("twice.json", text); err != nil {
		t.Fatal(err)
	}
	if o, err := Run(c); err != nil || len(o.Dispatched) != 2 {
		t.Errorf("dispatched is %q, error %v", o.Dispatched, err)
	}
}

// For a program: every field has its name, in one style.
func TestOutcomeNames(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{Outcome{}, "case closure commitments decisions dispatched facts judgments output record refused steps"},
		{Comparison{}, "a b output rows same_output"},
	}
	for _, tt := range tests {
		text, err := json.Marshal(tt.value)
		var got map[string]any
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if names := strings.Join(slices.Sorted(maps.Keys(got)), " "); err != nil || names != tt.want {
			t.Errorf("%T has %s, error %v, want %s", tt.value, names, err, tt.want)
		}
	}
}

// A guard that does not say why leaves a record that is still a document.
func TestSilentGuard(t *testing.T) {
	c := load(t, "F2")
	c.Guards = []string{"silent"}
	o, err := Run(c, episode.Guard{Name: "silent", Check: func(episode.View, episode.Intent) (episode.Answer, string) { return episode.Pass, "" }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Evidence("run-1"); err != nil {
		t.Error(err)
	}
	if got := o.Decisions[0].Findings[6]; got.Reason != "no reason given" {
		t.Errorf("the finding is %+v", got)
	}
}

// What came of an admission says which guards decided, all of them.
func TestStepsSayWhy(t *testing.T) {
	tests := []struct {
		of        string
		forbidden []string
		step      int
		want      string
	}{
		{"F1", nil, 4, "DENY (authority: traveller has revoked the delegation to agent-1)"},
		{"F1", []string{"purchase"}, 4, "DENY (authority: traveller has revoked the delegation to agent-1; policy: policy travel-1 forbids purchase)"},
		{"F2", nil, 2, "HOLD (evidence: fare is unknown, not accepted)"},
		{"F7", nil, 2, "ALLOW"},
	}
	for _, tt := range tests {
		c := load(t, tt.of)
		c.Terms.Forbidden = tt.forbidden
		o, err := Run(c)
		if o.Case == "" {
			t.Fatal(err)
		}
		if got := o.Steps[tt.step-1]; got != tt.want {
			t.Errorf("%s, step %d, forbidden %q: %s, want %s", tt.of, tt.step, tt.forbidden, got, tt.want)
		}
	}
}

func TestNamed(t *testing.T) {
	if c, err := Named("c7-REVIEW"); err != nil || c.ID != "C7-review" {
		t.Errorf("got %s, %v", c.ID, err)
	}
	if _, err := Named("F8"); err == nil || !strings.HasPrefix(err.Error(), `case "F8" is unknown; use one of F1, F2, `) || !strings.HasSuffix(err.Error(), "or load a file") {
		t.Errorf("got %v", err)
	}
	if _, err := File("../cases"); err == nil || !strings.HasPrefix(err.Error(), `document "../cases" is unknown; use one of C3, C7, C7-review, F1, `) {
		t.Errorf("got %v", err)
	}
	Names()[0] = "spoilt"
	if Names()[0] != "F1" {
		t.Error("the names can be written to")
	}
}

// A run does not touch its case: it gives the same again.
func TestRunAgain(t *testing.T) {
	for _, name := range Names() {
		c := load(t, name)
		before, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		first, err := Run(c)
		if err != nil {
			t.Fatal(err)
		}
		second, err := Run(c)
		if err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("%s: a second run gives something else, error %v", name, err)
		}
		if after, err := json.Marshal(c); err != nil || string(after) != string(before) {
			t.Errorf("%s: the case has become %s, %v", name, after, err)
		}
		if _, err := first.Evidence("run-1"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A document that is a case by its schema can be run, or is refused; and runs again alike.
func FuzzRun(f *testing.F) {
	for _, name := range Names() {
		text, err := File(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decode("fuzz.json", text)
		if err != nil {
			return
		}
		o, err := Run(c)
		if again, second := Run(c); !reflect.DeepEqual(o, again) || fmt.Sprint(err) != fmt.Sprint(second) {
			t.Errorf("first %+v, %v; then %+v, %v", o, err, again, second)
		}
		if o.Closure.Ending == episode.Fulfilled && len(o.Closure.Blocks) > 0 {
			t.Errorf("it is fulfilled with %q", o.Closure.Blocks)
		}
		if _, err := o.Evidence("fuzz"); o.Case != "" && err != nil {
			t.Error(err)
		}
	})
}
