package commitpoint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/enumerate"
	"example.com/commitpoint/internal/wrapped"
	"example.com/commitpoint/mechanisms"
	complete "example.com/commitpoint/mechanisms/contract"
	"example.com/commitpoint/model"
	"example.com/commitpoint/results"
	"example.com/commitpoint/study"
	"example.com/commitpoint/study/contention"
	"example.com/commitpoint/study/contract"
	"example.com/commitpoint/study/deadline"
	"example.com/commitpoint/study/episode"
	"example.com/commitpoint/study/harness"
	"example.com/commitpoint/study/harness/budget"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commas writes a number the way the README does.
func commas(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Every figure of the README is one that is computed.
func TestReadmeFigures(t *testing.T) {
	r, err := study.Compute(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	readme := read(t, "README.md")
	var table strings.Builder
	executions := uint64(0)
	for i, m := range r.Mechanisms {
		s := r.Scores[i]
		executions += s.Total()
		fmt.Fprintf(&table, "| `%s` | %s | %v | %s | %s | %s | %s |\n", m.Name, requirement(m.Requires), m.At,
			commas(s.SafeAccept), commas(s.UnsafeAccept), commas(s.UnsafeReject), commas(s.EligibleReject))
	}
	if !strings.Contains(readme, "|---|---|---|---:|---:|---:|---:|\n"+table.String()+"\n") {
		t.Errorf("the README's table is not what is computed:\n%s", &table)
	}
	oneLine := strings.Join(strings.Fields(readme), " ")
	for _, claim := range []string{
		fmt.Sprintf("%d scenarios with %s schedules", len(r.Scenarios), commas(r.Schedules)),
		fmt.Sprintf("eligible at the commit in %d of them and ineligible in %s", r.Eligible, commas(r.Schedules-r.Eligible)),
		fmt.Sprintf("%s executions in all", commas(executions)),
		fmt.Sprintf("%d executions with forged receipts", len(r.Controls)*len(r.Mechanisms)),
	} {
		if !strings.Contains(oneLine, claim) {
			t.Errorf("the README does not say: %s", claim)
		}
	}
	races := races(t)
	if !strings.Contains(readme, "|---:|---:|---:|---:|---:|\n"+races+"\n") {
		t.Errorf("the README's table of races is not what is computed:\n%s", races)
	}
	known := strings.Split(read(t, "study/testdata/ours.txt"), "\n")[0] + table.String() + races + fourSubmitters(t) + " " + strings.Join(conformanceFigures(t), " ") + " " + commas(r.Schedules) + " " + commas(executions) +
		regexp.MustCompile(`\d+`).ReplaceAllStringFunc(string(results.PublishedContract())+string(results.PublishedDeadline())+string(results.PublishedHarness())+string(results.PublishedEpisode()), func(n string) string { return commas(n) })
	for _, figure := range regexp.MustCompile(`\d+(,\d{3})+`).FindAllString(readme, -1) {
		if !strings.Contains(known, figure) {
			t.Errorf("the README has the figure %s, which is not computed", figure)
		}
	}
}

// races is the table of up to three submitters.
func races(t *testing.T) string {
	var table strings.Builder
	for w := 1; w <= 3; w++ {
		r, err := contention.Compute(t.Context(), w, enumerate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&table, "| %d | %d | %s | %s | %s |\n", w, r.Events, commas(r.Nodes), commas(r.Edges), commas(r.Schedules))
	}
	return table.String()
}

// fourSubmitters is the number of their schedules, by the closed form.
func fourSubmitters(t *testing.T) string {
	o, err := contention.Order(4)
	if err != nil {
		t.Fatal(err)
	}
	n, ok := o.Extensions()
	if !ok {
		t.Fatal("there is no closed form")
	}
	return commas(n)
}

// What the README says of the checks that may leave the transaction.
func TestReadmeHoist(t *testing.T) {
	h, err := study.ComputeHoist(t.Context(), study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	readme := read(t, "README.md")
	rows := map[string]study.Subset{"none (`atomic`)": h.Subsets[0], "all (`preflight-cached`)": h.Subsets[len(h.Subsets)-1]}
	unsafe := 0
	for _, s := range h.Singles() {
		rows[s.Early[0]] = s
		if !s.Safe() {
			unsafe++
		}
	}
	for name, s := range rows {
		if row := fmt.Sprintf("| %s | %v | %v |\n", name, s.UnsafeAccept, s.EligibleReject); !strings.Contains(readme, row) {
			t.Errorf("the README lacks the row %s", row)
		}
	}
	if safe := fmt.Sprint(h.MaximalSafe()[0].Early); len(h.MaximalSafe()) != 1 || safe != "[evidence contract]" || unsafe != 5 {
		t.Errorf("the README says that evidence and contract are safe together and the other five are not: %v, %d unsafe", h.MaximalSafe(), unsafe)
	}
}

// The README's tables of the whole contract are what is published of it, which other
// tests compare with what is computed.
func TestReadmeContract(t *testing.T) {
	var r contract.Result
	if err := json.Unmarshal(results.PublishedContract(), &r); err != nil {
		t.Fatal(err)
	}
	readme := read(t, "README.md")
	var want []string
	for _, o := range r.Obligations {
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |\n", o.Predicate, commas(o.UnsafeAccept), commas(o.EligibleReject), strings.Join(o.Shortest, " → ")))
	}
	for _, h := range r.Hoist.Singles {
		verdict := "must stay"
		if h.UnsafeAccept == 0 {
			verdict = "may move"
		}
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", h.Predicate, commas(h.UnsafeAccept), commas(h.EligibleReject), verdict, h.Why))
	}
	want = append(want, fmt.Sprintf("%s schedules, the complete mechanism accepts the %s requests", commas(r.Schedules), commas(r.Complete.SafeAccept)),
		fmt.Sprintf("the %s that are not.", commas(r.Complete.UnsafeReject)))
	text := strings.Join(strings.Fields(readme), " ")
	for _, w := range want {
		if !strings.Contains(text, strings.TrimSpace(strings.Join(strings.Fields(w), " "))) {
			t.Errorf("the README lacks %s", w)
		}
	}
	if fmt.Sprint(r.Hoist.MaximalSafe) != "[[caller scope]]" || len(r.Families) != 13 || !r.Complete.Right() {
		t.Errorf("the README says otherwise: %v, %d families, %+v", r.Hoist.MaximalSafe, len(r.Families), r.Complete)
	}
	cases, err := contract.Cases()
	if err != nil || len(cases) != 15 {
		t.Errorf("the README says fifteen cases: %d, %v", len(cases), err)
	}
}

// The README's tables of contracts with a deadline are what is published of them; those of
// recorded trials are compared where the recordings are.
func TestReadmeDeadline(t *testing.T) {
	var r deadline.Result
	if err := json.Unmarshal(results.PublishedDeadline(), &r); err != nil {
		t.Fatal(err)
	}
	between, at := r.Grids[0], r.Grids[1]
	want := []string{
		fmt.Sprintf("%s scenarios with %s schedules, where the deadline is between two probes", commas(between.Scenarios), commas(between.Schedules)),
		fmt.Sprintf("in %s schedules because its probe failed", commas(between.Reference.Differs[0].Schedules)),
		fmt.Sprintf("in %s because it became true after the last probe", commas(between.Reference.Differs[1].Schedules)),
		fmt.Sprintf("in %s because it was true between two probes only", commas(between.Reference.Differs[2].Schedules)),
		fmt.Sprintf("the second: %d of %s schedules", at.Reference.Differs[1].Schedules, commas(at.Schedules)),
		fmt.Sprintf("In %s schedules of three cycles", commas(r.Gate[0].Schedules)),
	}
	for _, p := range between.Policies {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | %s | %s |", p.Policy, commas(p.FalsePass), commas(p.FalseAlarm), commas(p.FalsePassByRef), commas(p.FalseAlarmByRef)))
	}
	for _, s := range r.Gate {
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s | %s |", s.Strategy, commas(s.AtFirst), commas(s.AfterRecovery), commas(s.Terminated), commas(s.Invocations)))
	}
	text := strings.Join(strings.Fields(read(t, "README.md")), " ")
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("the README lacks %s", w)
		}
	}
}

// The README's section on harnesses has what is published of them.
func TestReadmeHarness(t *testing.T) {
	var r harness.Result
	if err := json.Unmarshal(results.PublishedHarness(), &r); err != nil {
		t.Fatal(err)
	}
	race, life := r.Budget.Scenarios[0], r.Budget.Scenarios[1]
	want := []string{
		fmt.Sprintf("in %s schedules of thirty events", commas(life.Schedules)),
		fmt.Sprintf("exceeds the cap in %s schedules", commas(breaks(life, "release-on-timeout", "settled plus pending never exceeds the cap"))),
		fmt.Sprintf("can cost more than the cap in %s.", commas(breaks(life, "release-on-timeout", "what was admitted can never cost more than the cap"))),
		fmt.Sprintf("%s orders of their reads, comparisons and writes", commas(race.Schedules)),
		fmt.Sprintf("admits no more than that in only %s of them", commas(race.Ledgers[1].Admitted[0].Count)),
		fmt.Sprintf("in %s schedules of two requests", commas(r.Ownership.Schedules)),
		"thirteen ledgers",
	}
	if a := race.Ledgers[0].Admitted; len(a) != 1 || a[0].What != "3" || race.Ledgers[1].Admitted[0].What != "3" || life.Events != 30 || len(life.Ledgers) != 13 {
		t.Errorf("the reference admits %v, %s at least %v; of %d events and %d ledgers", a, race.Ledgers[1].Mechanism, race.Ledgers[1].Admitted, life.Events, len(life.Ledgers))
	}
	rows := map[string]bool{}
	for _, l := range life.Ledgers {
		for _, b := range l.Broken {
			rows[fmt.Sprintf("| `%s` | %s | %s |", l.Mechanism, b.What, commas(b.Count))] = true
		}
	}
	_, section, _ := strings.Cut(read(t, "README.md"), "| ledger | what breaks | schedules |\n|---|---|---:|\n")
	section, _, _ = strings.Cut(section, "\n\n")
	for line := range strings.Lines(section + "\n") {
		if !rows[strings.TrimSpace(line)] {
			t.Errorf("what is published has not the README's row %s", line)
		}
	}
	for _, l := range life.Ledgers[1:] {
		if !strings.Contains(section, "| `"+l.Mechanism+"` |") {
			t.Errorf("the README has no row of %s", l.Mechanism)
		}
	}
	text := strings.Join(strings.Fields(read(t, "README.md")), " ")
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("the README lacks %s", w)
		}
	}
}

// breaks returns in how many schedules a ledger breaks a property.
func breaks(s budget.ScenarioResult, ledger, property string) enumerate.Count {
	for _, l := range s.Ledgers {
		for _, b := range l.Broken {
			if l.Mechanism == ledger && b.What == property {
				return b.Count
			}
		}
	}
	return enumerate.Count{}
}

// The README's section on episodes has what is published of them: each property with a
// service that breaks it.
func TestReadmeEpisode(t *testing.T) {
	var r episode.Result
	if err := json.Unmarshal(results.PublishedEpisode(), &r); err != nil {
		t.Fatal(err)
	}
	fulfilled := enumerate.Count{}
	for _, c := range r.Services[0].Closures {
		if c.What == "fulfilled" {
			fulfilled = c.Count
		}
	}
	rows, broken := map[string]bool{}, map[string]bool{}
	for _, s := range r.Services {
		for _, b := range s.Broken {
			rows[fmt.Sprintf("| %s | `%s` | %s |", b.What, s.Mechanism, commas(b.Count))], broken[b.What] = true, true
		}
	}
	readme := read(t, "README.md")
	_, table, _ := strings.Cut(readme, "| property | broken by | schedules |\n|---|---|---:|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table + "\n") {
		if !rows[strings.TrimSpace(line)] {
			t.Errorf("what is published has not the README's row %s", line)
		}
	}
	for property := range broken {
		if !strings.Contains(table, "| "+property+" |") {
			t.Errorf("the README has no row of %q", property)
		}
	}
	text := strings.Join(strings.Fields(readme), " ")
	for _, w := range []string{
		fmt.Sprintf("through %s schedules of one episode", commas(r.Schedules)),
		fmt.Sprintf("closes %s of them as fulfilled", commas(fulfilled)),
		fmt.Sprintf("a reference and %s services with one flaw each", map[int]string{17: "seventeen", 18: "eighteen"}[len(r.Services)-1]),
	} {
		if !strings.Contains(text, w) {
			t.Errorf("the README lacks %s", w)
		}
	}
}

// requirement abbreviates as the README does.
func requirement(c model.Checks) string {
	switch missing, extra := model.All&^c, c&^model.All; {
	case c == 0:
		return "nothing"
	case c == model.All:
		return "all eight"
	case extra != 0:
		return "all eight, " + extra.String()
	case len(missing.Each()) < 3:
		return "all but " + missing.String()
	}
	return c.String()
}

// The README's Go code is the file that an outsider's module compiles and runs
// in the command's tests, and its output is what that prints.
func TestReadmeExample(t *testing.T) {
	readme := read(t, "README.md")
	block := func(fence string) string {
		_, rest, ok := strings.Cut(readme, "\n"+fence+"\n")
		text, _, closed := strings.Cut(rest, "\n```\n") // the first block of its kind
		if !ok || !closed {
			t.Fatalf("the README has no block %s", fence)
		}
		return text + "\n"
	}
	if code := block("```go"); !strings.Contains(read(t, "cmd/explore/testdata/script/import.txtar"), "-- queue_test.go --\n"+code+"-- ") {
		t.Errorf("the README's code is not queue_test.go of import.txtar:\n%s", code)
	}
	explanation, replay, _ := strings.Cut(block("```text"), "\nreplay: ")
	if !strings.HasPrefix(read(t, "study/testdata/ours.txt"), explanation) {
		t.Errorf("the README's output is not how ours.txt begins:\n%s", explanation)
	}
	if want := "go test -run '^TestOurCompletionRule$/^unsafe-accept$/^grant$'\n"; replay != want {
		t.Errorf("the README replays with %s, want %s", replay, want)
	}
}

// The README's section on services: its code is what an outsider's module compiles and
// runs, its output that of the kit's example, and its figures those of the kit.
func TestReadmeConformance(t *testing.T) {
	_, section, ok := strings.Cut(read(t, "README.md"), "\n## Check your own service\n")
	if !ok {
		t.Fatal("the README lacks the section")
	}
	_, rest, _ := strings.Cut(section, "\n```go\n")
	code, rest, _ := strings.Cut(rest, "\n```\n")
	if code == "" || !strings.HasSuffix(read(t, "cmd/explore/testdata/script/conform_import.txtar"), "-- queue_test.go --\n"+code+"\n") {
		t.Errorf("the README's code is not queue_test.go of conform_import.txtar:\n%s", code)
	}
	_, rest, _ = strings.Cut(rest, "\n```text\n")
	output, _, _ := strings.Cut(rest, "\n```\n")
	comment := "\t// " + strings.ReplaceAll(output, "\n", "\n\t// ") + "\n"
	comment = strings.ReplaceAll(comment, "// \n", "//\n")
	if output == "" || !strings.Contains(read(t, "conformance/example_test.go"), "\t// Output:\n"+comment) {
		t.Errorf("the README's output is not how that of the kit's example begins:\n%s", comment)
	}
	for _, figure := range conformanceFigures(t) {
		if !strings.Contains(section, figure) {
			t.Errorf("the README does not say %s", figure)
		}
	}
}

// conformanceFigures are the numbers of schedules that the kit runs: of the study, all and
// covering, and of the contract, covering.
func conformanceFigures(t *testing.T) []string {
	atomic, err := mechanisms.Named("atomic")
	if err != nil {
		t.Fatal(err)
	}
	study, err := conformance.Check(t.Context(), wrapped.Study(atomic), conformance.Options{Mode: conformance.Covering})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := conformance.Check(t.Context(), wrapped.Contract(complete.Complete), conformance.Options{Mode: conformance.Covering, Sets: conformance.Contract()})
	if err != nil {
		t.Fatal(err)
	}
	covering := uint64(0)
	for _, s := range whole.Sets {
		covering += s.Ran
	}
	return []string{commas(study.Sets[0].Schedules), commas(study.Sets[0].Ran), commas(covering)}
}

// The README's other snippet is cut from the engine's example.
func TestReadmeEngineExample(t *testing.T) {
	readme, example := read(t, "README.md"), read(t, "enumerate/example_test.go")
	_, rest, ok := strings.Cut(readme, "order, err := enumerate.NewOrder[step]().\n")
	snippet, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the README has no such snippet")
	}
	for line := range strings.Lines(snippet) {
		line = strings.ReplaceAll(strings.TrimSpace(line), "(ctx, order, ", "(context.Background(), tellers(), ")
		if !strings.Contains(example, line) {
			t.Errorf("the example does not have the README's line %s", line)
		}
	}
}

// The README names the flags that there are.
func TestReadmeCommand(t *testing.T) {
	usage := read(t, "cmd/explore/root.go") + read(t, "cmd/explore/trace.go") + read(t, "cmd/explore/contract.go") + read(t, "cmd/explore/conform.go") + read(t, "cmd/explore/deadline.go") + read(t, "cmd/explore/watch.go") + read(t, "cmd/explore/harness.go") + read(t, "cmd/explore/episode.go")
	for _, flag := range regexp.MustCompile("`(?:explore )?--([a-z-]+)").FindAllStringSubmatch(read(t, "README.md"), -1) {
		if !strings.Contains(usage, `"`+flag[1]+`"`) {
			t.Errorf("the README names --%s, which explore does not have", flag[1])
		}
	}
}
