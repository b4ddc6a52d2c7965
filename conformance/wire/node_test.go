package wire

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/commitpoint/conformance"
	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// nodeAdapter returns the reference adapter in Node.
func nodeAdapter(t *testing.T, args ...string) Command {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("COMMITPOINT_CI") != "" {
			t.Fatal("node is not on PATH, and COMMITPOINT_CI wants everything tested: install Node 18 or newer")
		}
		t.Skip("node is not on PATH: the adapter in examples/node-adapter is not tested")
	}
	script := filepath.Join("..", "..", "examples", "node-adapter", "adapter.mjs")
	return Command{Path: "node", Args: append([]string{script}, args...)}
}

func startNode(t *testing.T, args ...string) *Process {
	t.Helper()
	p, err := nodeAdapter(t, args...).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ways are the two ways to complete of the adapter's service, and the mechanism that
// each of them is.
var ways = []struct {
	name, mechanism string
	controls        string // those that it accepts
}{
	{"right", "atomic", "inadequate-checker"},
	{"split", "preflight-cached", "inadequate-checker"},
}

// Each way decides each of the study's schedules as its mechanism does, and the right one
// as the oracle judges it.
func TestNodeDecidesLikeTheModel(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			p := startNode(t, way.name)
			m, err := mechanisms.Named(way.mechanism)
			if err != nil {
				t.Fatal(err)
			}
			schedules, accepted := 0, 0
			for _, order := range study.Scenarios(study.MaxEnvironment) {
				for schedule := range order.Schedules() {
					want, err := study.Decide(m, schedule)
					if err != nil {
						t.Fatal(err)
					}
					got := runSchedule(t, p, schedule)
					if got.Accepted != want.Accepted {
						t.Fatalf("%v: %+v, but %s says %v", schedule, got, way.mechanism, want.Accepted)
					}
					if way.name == "right" && got.Accepted != want.Verdict.Eligible() {
						t.Fatalf("%v: %+v, but the oracle says %+v", schedule, got, want.Verdict)
					}
					schedules++
					if got.Accepted {
						accepted++
						checkRetries(t, p, got.Receipt)
					}
				}
			}
			if want := map[string]int{"right": 470, "split": 470 + 718}[way.name]; schedules != 6694 || accepted != want {
				t.Errorf("%d accepted of %d schedules, want %d of 6694", accepted, schedules, want)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// runSchedule drives p through a schedule and returns what it decided at the commit.
func runSchedule(t *testing.T, p *Process, schedule []model.Event) (d conformance.Decision) {
	t.Helper()
	err := p.Reset(t.Context())
	for _, e := range schedule {
		if err != nil {
			break
		}
		if e.Kind == model.Commit {
			d, err = p.Submit(t.Context(), e.String())
		} else {
			err = p.Apply(t.Context(), e.String())
		}
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", schedule, err, p.Stderr())
	}
	return d
}

// checkRetries checks that a recorded completion is answered again, that another one
// under its id is refused, and that neither changes anything.
func checkRetries(t *testing.T, p *Process, receipt string) {
	t.Helper()
	ctx := t.Context()
	before, err1 := p.Recorded(ctx)
	again, err2 := p.Submit(ctx, "retry")
	other, err3 := p.Submit(ctx, "retry-other")
	after, err4 := p.Recorded(ctx)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	if again.Receipt != receipt || other.Accepted || before.State != after.State || len(before.Receipts) != 1 || before.Receipts[0] != receipt {
		t.Fatalf("recorded with %q: again %+v, another %+v, and\n%+v became\n%+v", receipt, again, other, before, after)
	}
}

// Each way decides each directed control as its mechanism does.
func TestNodeDecidesTheControls(t *testing.T) {
	t.Parallel()
	report, err := study.Compute(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	chain := model.Chain()
	for _, way := range ways {
		p := startNode(t, way.name)
		var accepted, want []string
		for _, c := range report.Controls {
			runSchedule(t, p, chain[:3]) // up to the verification
			if err := p.Apply(t.Context(), c.Control.Name); err != nil {
				t.Fatal(err)
			}
			if err := p.Apply(t.Context(), "preflight"); err != nil {
				t.Fatal(err)
			}
			if d, err := p.Submit(t.Context(), "commit"); err != nil {
				t.Fatal(err)
			} else if d.Accepted {
				accepted = append(accepted, c.Control.Name)
			}
			if strings.Contains(strings.Join(c.AcceptedBy, " ")+" ", way.mechanism+" ") {
				want = append(want, c.Control.Name)
			}
		}
		if got := strings.Join(accepted, " "); len(report.Controls) != 7 || got != strings.Join(want, " ") || got != way.controls {
			t.Errorf("%s accepts %s, and %s accepts %s", way.name, got, way.mechanism, strings.Join(want, " "))
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Everything that EVENTS.md lists for the study is there.
func TestNodeHasEveryEvent(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "EVENTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## The study\n")
	section, _, _ = strings.Cut(section, "\n## ")
	p := startNode(t)
	has := map[string]bool{}
	for _, name := range p.About().Events {
		has[name] = true
	}
	listed := 0
	for line := range strings.Lines(section) {
		if name, _, row := strings.Cut(strings.TrimPrefix(line, "| `"), "` |"); row {
			listed++
			if !has[name] {
				t.Errorf("it lacks %s", name)
			}
		}
	}
	if listed != 20 || len(has) != listed {
		t.Errorf("EVENTS.md lists %d events, want 20, and the adapter %d", listed, len(has))
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestNodeRefuses(t *testing.T) {
	t.Parallel()
	const usage = "node adapter.mjs: give right or split, or nothing for right\n"
	for _, args := range [][]string{{"wrong"}, {"right", "split"}} {
		_, err := nodeAdapter(t, args...).Start(t.Context())
		var failed *Error
		if !errors.As(err, &failed) || failed.Stderr != usage || err.Error() != `the adapter exited with status 2 before it answered "hello"` {
			t.Errorf("%v: error %v, and on standard error %+v", args, err, failed)
		}
	}
	p := startNode(t)
	err := p.Apply(t.Context(), "undo")
	checkLastWord(t, p, err, "the adapter can't go on after \"apply undo\": it says `there is no event \"undo\" here`")
}
