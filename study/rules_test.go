package study_test

import (
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// golden compares text with a file in testdata.
func golden(t *testing.T, file, text string) {
	t.Helper()
	path := "testdata/" + file
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

var ours = mechanisms.Func("ours", func(s model.State, r model.Request) mechanisms.Decision {
	return mechanisms.Require(s, r, model.Attempt|model.Lease|model.Inputs)
})

func TestExplanations(t *testing.T) {
	tests := []struct {
		file, reason string
		rule         mechanisms.Mechanism
	}{
		{"ours.txt", "a rule that requires three checks, at commit", ours},
		{"early.txt", "all eight checks, at preflight", mechanisms.AtPreflight(named(t, "atomic"))},
		{"latest-policy.txt", "an eligible request refused", named(t, "latest-policy")},
		{"never.txt", "a rule that names no check", mechanisms.Func("never", func(model.State, model.Request) mechanisms.Decision {
			return mechanisms.Decision{}
		})},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			err := study.Test(tt.rule)
			if err == nil {
				t.Fatalf("no error, though it is %s", tt.reason)
			}
			golden(t, tt.file, err.Error()+"\n")
		})
	}
}

// Which of the thirteen pass, and what the others fail for. Evidence and
// contract show in the directed controls alone, and the fence nowhere.
func TestTheThirteen(t *testing.T) {
	want := map[string]string{
		"self-report":      "lease attempt grant inputs artifact evidence task contract",
		"attempt-lease":    "grant inputs artifact evidence task contract",
		"preflight-cached": "attempt lease grant inputs artifact",
		"atomic":           "",
		"without-attempt":  "attempt lease", // a fresh lease after expiry hides the old one
		"without-fence":    "",
		"without-lease":    "lease",
		"without-grant":    "grant",
		"without-inputs":   "inputs",
		"without-artifact": "artifact",
		"without-evidence": "evidence",
		"without-contract": "task contract",
		"latest-policy":    "latest-policy",
	}
	for _, m := range mechanisms.All() {
		got := ""
		if err := study.Test(m); err != nil {
			got = err.Error()
		}
		for _, reason := range strings.Fields("attempt lease grant inputs artifact evidence task contract") {
			sentence := map[string]string{
				"attempt": "the task was another attempt's", "lease": "the lease expired", "grant": "the grant was revoked",
				"inputs": "the input was edited", "artifact": "the artifact was overwritten", "evidence": "no admitted receipt",
				"task": "names another task", "contract": "names another contract",
			}[reason]
			wanted := strings.Contains(" "+want[m.Name]+" ", " "+reason+" ")
			if strings.Contains(got, sentence) != wanted {
				t.Errorf("%s fails for %s: %v, want %v\n%s", m.Name, reason, !wanted, wanted, got)
			}
		}
		if (got == "") != (want[m.Name] == "") {
			t.Errorf("%s: %s", m.Name, got)
		}
	}
}

func TestOptionsPickScenarios(t *testing.T) {
	all := study.Options{Scenarios: study.Scenarios(6), Workers: 2}
	if err := all.Test(named(t, "atomic")); err != nil {
		t.Errorf("atomic fails in all 64 scenarios: %v", err)
	}
	err := all.Test(named(t, "without-grant"))
	if err == nil || !strings.Contains(err.Error(), " of 330,262 schedules)") {
		t.Errorf("all 64 scenarios do not have 330,262 schedules: %v", err)
	}
	bare := study.Options{Scenarios: study.Scenarios(0)}
	if err := bare.Test(named(t, "without-grant")); err != nil {
		t.Errorf("nothing can be revoked in the bare chain, and yet: %v", err)
	}
	if err := (study.Options{Workers: -2}).Test(ours); err == nil || !strings.Contains(err.Error(), "-2 workers") {
		t.Errorf("error = %v, want one about the workers", err)
	}
}

// A rule that can't be judged is said to be at fault, with the schedule.
func TestFaultyRules(t *testing.T) {
	calls := 0
	tests := []struct {
		name, reason string
		rule         func(model.State, model.Request) mechanisms.Decision
		want         string
	}{
		{"fickle", "it answers every second call otherwise", func(model.State, model.Request) mechanisms.Decision {
			calls++
			return mechanisms.Decision{Accepted: calls%2 == 0}
		}, `rule "fickle" is not pure: it gave two answers to the same state and request; the schedule was [read candidate trusted-verify preflight commit]`},
		{"crash", "it divides by what is zero after a revocation", func(s model.State, r model.Request) mechanisms.Decision {
			n := 0
			if s.Grants.Holds(r.Principal) {
				n = 1
			}
			return mechanisms.Decision{Accepted: 1/n == 1}
		}, `rule "crash" panicked: runtime error: integer divide by zero; the schedule was [read candidate trusted-verify preflight revoke commit]`},
		{"forged", "it panics in a control only", func(s model.State, r model.Request) mechanisms.Decision {
			if r.Evidence == 99 {
				panic("no such receipt")
			}
			return mechanisms.Require(s, r, model.All)
		}, `rule "forged" panicked: no such receipt; it was in the directed control forged-receipt`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := study.Options{Workers: 1}.Test(mechanisms.Func(tt.name, tt.rule))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Test = %v\nwant %s: %s", err, tt.want, tt.reason)
			}
		})
	}
}

// A rule that is only now and then at odds with itself is either judged, if it
// happened to be consistent, or said to be impure; it never crashes the test.
func TestRulesThatAreSeldomImpure(t *testing.T) {
	impure := 0
	for every := 2; every < 60; every++ {
		calls := 0
		err := study.Options{Workers: 1}.Test(mechanisms.Func("seldom", func(s model.State, r model.Request) mechanisms.Decision {
			if calls++; calls%every == 0 {
				return mechanisms.Decision{}
			}
			return mechanisms.Require(s, r, model.All)
		}))
		if err != nil && strings.HasPrefix(err.Error(), `rule "seldom" is not pure: it gave two answers to the same state and request`) {
			impure++
		}
	}
	if impure < 50 {
		t.Errorf("only %d of 58 rules were found to be impure", impure)
	}
}

// A rule that changes its mind at any moment of the judging, the search for the
// shortest histories included, does not crash the test.
func TestRulesThatChangeTheirMind(t *testing.T) {
	calls, change := 0, 1<<30
	fickle := mechanisms.Func("fickle", func(s model.State, r model.Request) mechanisms.Decision {
		if calls++; calls > change && (calls-1)/2%2 == 0 { // the same for both of two calls, and not for the next two
			return mechanisms.Decision{}
		}
		return mechanisms.Require(s, r, model.All&^model.Grant)
	})
	judge := func() error {
		calls = 0
		return study.Options{Workers: 1}.Test(fickle)
	}
	if err := judge(); err == nil {
		t.Fatal("a rule without the grant passes")
	}
	total, impure := calls, 0
	for i := range 40 {
		change = total * i / 40
		if err := judge(); err != nil && strings.Contains(err.Error(), "is not pure") {
			impure++
		}
	}
	if impure < 30 {
		t.Errorf("%d of 40 rules were found to be impure", impure)
	}
}

// TestRunChild is run by TestRun, in a process of its own.
func TestRunChild(t *testing.T) {
	if name := os.Getenv("COMMITPOINT_RUN"); name != "" {
		study.Run(t, named(t, name))
	}
}

// Run makes every subtest, also those that pass, and fails those that fail.
func TestRun(t *testing.T) {
	for mechanism, fails := range map[string][]string{
		"atomic":           nil,
		"latest-policy":    {"eligible-reject/latest-policy"},
		"without-contract": {"unsafe-accept/task", "unsafe-accept/contract"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRunChild$", "-test.v")
		cmd.Env = append(os.Environ(), "COMMITPOINT_RUN="+mechanism)
		out, err := cmd.CombinedOutput()
		if (err != nil) != (fails != nil) {
			t.Errorf("%s: %v, though it fails for %q", mechanism, err, fails)
		}
		for _, name := range strings.Fields(`
			unsafe-accept/attempt unsafe-accept/lease unsafe-accept/grant unsafe-accept/inputs
			unsafe-accept/artifact unsafe-accept/evidence unsafe-accept/task unsafe-accept/contract
			eligible-reject/attempt eligible-reject/fence eligible-reject/lease eligible-reject/grant eligible-reject/inputs
			eligible-reject/artifact eligible-reject/evidence eligible-reject/contract eligible-reject/latest-policy
			eligible-reject/unexplained`) {
			result := "PASS"
			if slices.Contains(fails, name) {
				result = "FAIL"
			}
			if want := "--- " + result + ": TestRunChild/" + name + " "; !strings.Contains(string(out), want) {
				t.Errorf("%s: no line %q in\n%s", mechanism, want, out)
			}
			replay := "replay: go test -run '^TestRunChild$/^" + strings.ReplaceAll(name, "/", "$/^") + "$'"
			if strings.Contains(string(out), replay) != (result == "FAIL") {
				t.Errorf("%s: the line to replay %s is missing, or there without need:\n%s", mechanism, name, out)
			}
		}
	}
}
