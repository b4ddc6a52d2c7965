package recordings

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/commitpoint/enumerate"
	mechanisms "example.com/commitpoint/mechanisms/deadline"
	"example.com/commitpoint/model/deadline"
)

const sec = time.Second

// placed is a placement with its right call at 2 s, a report at 9 s that claims it done,
// and a probe every second, of which the first to hold is at a time; never if that is 0.
func placed(holds time.Duration, change ...func(*deadline.Trial)) Recording {
	t := deadline.Trial{Deadline: 30 * sec, Report: deadline.Report{Made: true, At: 9 * sec, Claim: deadline.Done},
		Calls: []deadline.Call{{At: 2 * sec, Required: true, Accepted: true, Target: deadline.Contracted, Path: deadline.Exact}}}
	for at := sec; at <= 50*sec; at += sec {
		is := holds > 0 && at >= holds
		t.Observations = append(t.Observations, deadline.Observation{At: at, Readable: true, Holds: is, Short: !is})
	}
	for _, c := range change {
		c(&t)
	}
	return Recording{Population: "p", Trial: t}
}

func judged(v deadline.Verdict) func(*deadline.Trial) {
	return func(t *deadline.Trial) { t.Judge = deadline.Judgement{Made: true, Verdict: v} }
}

func refused(t *deadline.Trial)    { t.Calls[0].Accepted = false }
func uncalled(t *deadline.Trial)   { t.Calls = nil }
func unreported(t *deadline.Trial) { t.Report = deadline.Report{} }
func faulty(t *deadline.Trial)     { t.Condition = deadline.Condition{Present: true} }
func cleared(t *deadline.Trial)    { t.Condition.Cleared, t.Condition.Until = true, sec }
func unseen(t *deadline.Trial) {
	for i := range t.Observations {
		t.Observations[i].Readable = false
	}
}

// Trials that between them are everything that is counted, and the counts by hand.
func TestScore(t *testing.T) {
	trials := []Recording{
		placed(5 * sec), // fulfilled; everybody accepts
		placed(20*sec, judged(deadline.Fulfilled)),        // fulfilled; the state at the report is not yet
		placed(5*sec, refused, judged(deadline.Violated)), // fulfilled; calls and judge say no
		placed(5*sec, unreported),                         // fulfilled; nothing is reported
		placed(35*sec, judged(deadline.Fulfilled)),        // violated, late; of nobody by the ground truth
		placed(30*sec+1, faulty),                          // violated, late; of the service
		placed(0, faulty, uncalled),                       // violated; of both, shadowed
		placed(0, faulty, unreported),                     // violated; of both, attributed to the agent
		placed(0, faulty, cleared),                        // violated; the condition was over, and nobody's
		placed(5*sec, unseen),                             // not determined
		{Population: "p", Excluded: true},
	}
	s := NewScorer(Options{Late: []time.Duration{4 * sec, 5 * sec, 20 * sec, 30 * sec, 36 * sec}})
	for _, r := range trials {
		s.Add(r)
	}
	s.AddBad()
	want := Population{Population: "p", Trials: 11, Excluded: 1, Reference: Reference{4, 5, 1},
		Policies: []Score{
			{Name: "self-report", FalsePass: 4, FalseAlarm: 1, Accepted: 8, NotDetermined: 2, Fulfilled: 4, Violated: 5},
			{Name: "call-and-health", FalsePass: 5, FalseAlarm: 1, Accepted: 9, Fulfilled: 4, Violated: 5},
			{Name: "transcript-judge", FalsePass: 1, FalseAlarm: 1, Accepted: 2, Lacking: 7, Fulfilled: 2, Violated: 1},
			{Name: "report-time", FalseAlarm: 2, Accepted: 2, NotDetermined: 3, Fulfilled: 4, Violated: 5},
			{Name: "until-deadline", Accepted: 4, NotDetermined: 1, Fulfilled: 4, Violated: 5},
		},
		// At 4 s those that hold from 5, 5, 5, 20, 31 and 35 s on; then fewer.
		Late:        []Late{{4, 6}, {5, 3}, {20, 2}, {30, 2}, {36, 0}},
		Attribution: Attribution{GroundTruthable: 3, Observable: 2, Shadowed: 1, Agree: 1, Neither: 2},
	}
	got := s.Result()
	if diff := cmp.Diff(Result{Schema: Schema, Bad: 1, Populations: []Population{want}}, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if again := s.Result(); !cmp.Equal(got, again) {
		t.Error("asking for the result changes it")
	}
}

// At another deadline everything is scored there: the reference, the policies that look at
// one, and the attribution. The late counts are at their own.
func TestAnotherDeadline(t *testing.T) {
	s := NewScorer(Options{Deadline: 40 * sec, Late: seconds(30)})
	s.Add(placed(35*sec, faulty))
	s.Add(placed(0, faulty, func(t *deadline.Trial) { t.Condition.From = 35 * sec }))
	s.Add(placed(5*sec, func(t *deadline.Trial) { t.Unhealthy = []time.Duration{35 * sec} }))
	p := s.Result().Populations[0]
	if p.Reference != (Reference{2, 1, 0}) || p.Late[0].Count != 1 {
		t.Errorf("%+v, late %+v", p.Reference, p.Late)
	}
	if p.Policies[1].FalseAlarm != 1 {
		t.Errorf("the target's health between the deadlines is not looked at: %+v", p.Policies[1])
	}
	if want := (Attribution{GroundTruthable: 1, Observable: 1, Agree: 1}); p.Attribution != want {
		t.Errorf("%+v, want %+v", p.Attribution, want)
	}
}

// Populations come by their names, and a policy that none of their trials has the input of
// is not among them.
func TestPopulations(t *testing.T) {
	s := NewScorer(Options{})
	for _, name := range []string{"b", "c", "a"} {
		r := placed(5*sec, judged(deadline.Fulfilled))
		if r.Population = name; name == "b" {
			r.Trial.Judge = deadline.Judgement{}
		}
		s.Add(r)
	}
	var got []string
	for _, p := range s.Result().Populations {
		got = append(got, p.Population)
		judge := slices.ContainsFunc(p.Policies, func(c Score) bool { return c.Name == "transcript-judge" })
		if judge != (p.Population != "b") {
			t.Errorf("%s has the judge: %v", p.Population, judge)
		}
	}
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("populations %q", got)
	}
}

// The counts again, from the definitions and as plainly as possible, on many trials.
func TestScoreByDefinition(t *testing.T) {
	lines, _ := write(t, makeTrials(400))
	opt := Options{Late: seconds(0.001, 5, 12.5, 30, 47)}
	got := score(t, lines, opt)
	want := map[string]*Population{}
	for _, r := range read(t, lines) {
		p := want[r.Population]
		if p == nil {
			p = &Population{Late: make([]Late, len(opt.Late))}
			want[r.Population] = p
		}
		first := func(is func(deadline.Observation) bool) time.Duration {
			if i := slices.IndexFunc(r.Trial.Observations, is); i >= 0 {
				return r.Trial.Observations[i].At
			}
			return math.MaxInt64
		}
		readable := first(func(o deadline.Observation) bool { return o.Readable })
		holds := first(func(o deadline.Observation) bool { return o.Readable && o.Holds })
		for i, at := range opt.Late {
			if readable <= at && at < holds && holds < math.MaxInt64 {
				p.Late[i].Count++
			}
		}
		switch p.Trials++; {
		case holds <= 30*sec:
			p.Reference.Fulfilled++
		case readable <= 30*sec:
			p.Reference.Violated++
		default:
			p.Reference.NotDetermined++
		}
	}
	if len(got.Populations) != 4 || len(want) != 4 {
		t.Fatalf("%d populations, want 4", len(got.Populations))
	}
	for _, p := range got.Populations {
		w := want[p.Population]
		if p.Trials != w.Trials || p.Reference != w.Reference {
			t.Errorf("%s: %d, %+v; want %d, %+v", p.Population, p.Trials, p.Reference, w.Trials, w.Reference)
		}
		for i, l := range p.Late {
			if l.Count != w.Late[i].Count || l.Deadline != opt.Late[i].Seconds() {
				t.Errorf("%s: late %+v, want %d at %v", p.Population, l, w.Late[i].Count, opt.Late[i])
			}
		}
		if a := p.Attribution; a.GroundTruthable+a.Neither != p.Reference.Violated || a.Observable+a.Shadowed != a.GroundTruthable || a.Agree > a.Observable {
			t.Errorf("%s: the attribution does not add up: %+v of %d", p.Population, a, p.Reference.Violated)
		}
		for _, c := range p.Policies {
			if c.Name == "until-deadline" && (c.FalsePass+c.FalseAlarm > 0 || c.Accepted != p.Reference.Fulfilled || c.NotDetermined != p.Reference.NotDetermined) {
				t.Errorf("%s: the reference errs against itself: %+v", p.Population, c)
			}
		}
	}
}

// The names of the fields in JSON, and what is left out of it.
func TestJSON(t *testing.T) {
	s := NewScorer(Options{Deadline: 12500 * time.Millisecond, Late: seconds(10, 2.5)})
	s.Add(placed(0, judged(deadline.Fulfilled), unseen))
	s.Add(placed(5 * sec))
	data, err := json.Marshal(s.Result())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"commitpoint/recordings/v1","deadline_s":12.5,"bad":0,"populations":[{"population":"p","trials":2,"excluded":0,` +
		`"reference":{"fulfilled":1,"violated":0,"not_determined":1},"policies":[` +
		`{"name":"self-report","false_pass":0,"false_alarm":0,"accepted":2,"not_determined":0},` +
		`{"name":"call-and-health","false_pass":0,"false_alarm":0,"accepted":2,"not_determined":0},` +
		`{"name":"transcript-judge","false_pass":0,"false_alarm":0,"accepted":1,"not_determined":0,"lacking":1},` +
		`{"name":"report-time","false_pass":0,"false_alarm":0,"accepted":1,"not_determined":1},` +
		`{"name":"until-deadline","false_pass":0,"false_alarm":0,"accepted":1,"not_determined":1}],` +
		`"late":[{"deadline_s":10,"count":0},{"deadline_s":2.5,"count":1}],` +
		`"attribution":{"ground_truthable":0,"observable":0,"shadowed":0,"agree":0,"neither":0}}]}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if data, err = json.Marshal(NewScorer(Options{}).Result()); err != nil || string(data) != `{"schema":"commitpoint/recordings/v1","bad":0,"populations":[]}` {
		t.Errorf("of nothing: %s, %v", data, err)
	}
}

// A coin shows heads or tails, so that a sample of its schedules has an interval.
type coin struct{}

func (coin) Init() string                   { return "" }
func (coin) Next(s string, e string) string { return s + e }

func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 0, 0, 1}, // nothing is known
		{0, 20, 0, 0.1611}, {20, 20, 0.8389, 1}, {21, 23, 0.7320, 0.9758}, {37, 37, 0.9059, 1}, {1, 1, 0.2065, 1},
	} {
		if low, high := Interval(tt.k, tt.n); math.Abs(low-tt.low) > 5e-5 || math.Abs(high-tt.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", tt.k, tt.n, low, high, tt.low, tt.high)
		}
	}
	// It is the same as the engine's, of its samples.
	order, err := enumerate.NewOrder[string]().Chain("", "a").Chain("", "b").Build()
	if err != nil {
		t.Fatal(err)
	}
	sample, err := enumerate.Sample(t.Context(), order, coin{}, enumerate.Observe(func(_, e, after string) (string, bool) {
		return after, e == "b"
	}), 30, 1, enumerate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sample.Observed {
		if low, high := Interval(f.Samples, sample.Samples); low != f.Low || high != f.High {
			t.Errorf("%d of %d: %v to %v, the engine has %v to %v", f.Samples, sample.Samples, low, high, f.Low, f.High)
		}
	}
}

// The names of the policies in the result are those of the mechanisms.
func TestPolicyNames(t *testing.T) {
	s := NewScorer(Options{})
	s.Add(placed(5*sec, judged(deadline.Fulfilled)))
	var got, want []string
	for _, c := range s.Result().Populations[0].Policies {
		got = append(got, c.Name)
	}
	for _, p := range mechanisms.Policies() {
		want = append(want, p.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("policies %s, want %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
}
