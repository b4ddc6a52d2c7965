package contract_test

import (
	"slices"
	"strings"
	"testing"

	model "example.com/commitpoint/model/contract"
	oracle "example.com/commitpoint/oracle/contract"
)

// judge returns the verdict on the last event of a history, given by the names of its
// events. Requests come from the model, which is stepped beside the oracle; that of an
// event with an exclamation mark behind it is recorded.
func judge(t testing.TB, setup model.Setup, names string) oracle.Verdict {
	t.Helper()
	s, h := model.Initial(setup), oracle.Begin(setup)
	var v oracle.Verdict
	for name := range strings.FieldsSeq(names) {
		name, recorded := strings.CutSuffix(name, "!")
		e, err := model.ParseEvent(name)
		if err != nil {
			t.Fatal(err)
		}
		v = oracle.Verdict{}
		if e.Kind.Decides() {
			r := s.Request(e)
			if v = h.Judge(e, r); recorded {
				s.Complete(r, false)
				h.Record(r)
			}
		}
		s.Step(e)
		h.Step(e)
	}
	return v
}

// A row is a history that ends with a request, and the names of the reasons why that is
// not eligible.
type row struct{ history, reasons, why string }

func check(t *testing.T, setup model.Setup, rows []row) {
	t.Helper()
	seen := map[string]bool{}
	for _, tt := range rows {
		if seen[tt.history] {
			t.Errorf("%s comes twice", tt.history)
		}
		seen[tt.history] = true
		v := judge(t, setup, tt.history)
		if got := v.Reasons.String(); got != tt.reasons || v.Eligible() != (tt.reasons == "none") {
			t.Errorf("%s: %s, want %s: %s", tt.history, got, tt.reasons, tt.why)
		}
	}
}

const chain = "a:read a:candidate a:verify "

func TestEnded(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "cancel a:commit", "active", "cancelled"},
		{chain + "a:report-failure a:commit", "active", "it reported that it failed"},
		{"b:claim b:read b:candidate b:verify b:commit! " + chain + "a:commit", "active, ownership", "completed by another"},
		{chain + "cancel reclaim a:commit", "active", "nobody claims what has ended"},
		{chain + "cancel b:claim restage a:commit", "active", "nor starts it again"},
		{"cancel migrate " + chain + "a:commit", "active", "nor pins it anew"},
		{chain + "b:report-failure a:commit", "none", "not its task"},
		{chain + "b:claim a:report-failure a:commit", "ownership", "the report came too late to end it"},
		{chain + "restore a:report-failure a:commit", "ownership", "to another authority"},
		{chain + "restore a:claim a:verify a:report-failure a:commit", "active", "to the present one"},
	})
}

func TestOtherCaller(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "a:impersonate", "caller", "b sends a's request"},
		{"b:claim b:read b:candidate b:verify b:impersonate", "caller", "a sends b's"},
		{chain + "b:claim a:impersonate", "caller, ownership", "it is b's task now, but not b's request"},
		{chain + "a:commit a:impersonate", "caller", "nothing was recorded"},
		{"b:claim b:read b:candidate b:verify b:commit", "none", "b sends its own"},
		{chain + "b:claim b:read b:candidate b:verify b:commit", "none", "and a may have worked before"},
	})
}

func TestReassigned(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "b:claim a:commit", "ownership", "to another worker"},
		{chain + "reclaim a:commit", "ownership", "to another process of the same"},
		{chain + "restage a:commit", "ownership", "from the start"},
		{chain + "restart-fences reclaim a:commit", "ownership", "whatever fence that is"},
		{chain + "restart-attempts reclaim a:commit", "ownership", "whatever its ids are"},
		{chain + "restart-fences restart-attempts reclaim a:commit", "ownership", "even if it can't be told from the one before"},
		{chain + "restore a:commit", "ownership", "the authority that assigned it is gone"},
		{chain + "restore reclaim a:commit", "ownership", "however often the ids come again"},
		{chain + "restart-fences a:commit", "none", "a restart assigns nothing"},
		{chain + "restart-attempts a:commit", "none", "nor does this"},
		{chain + "restart-fences restart-attempts a:commit", "none", "nor do both"},
		{"b:read b:candidate b:verify b:commit", "ownership", "it never was"},
		{"a:claim " + chain + "a:commit", "none", "it is its own"},
		{"restore a:claim " + chain + "a:commit", "none", "it is of the present authority"},
		{"restage b:read b:candidate b:verify b:commit", "none", "the scheduler told it"},
		{"b:claim a:claim " + chain + "a:commit", "none", "back again"},
		{chain + "a:commit a:claim a:verify a:retry", "ownership, evidence", "a retry is of what was asked before"},
		{chain + "a:retry a:claim a:verify a:retry#2", "ownership, evidence", "also if the first was called a retry"},
		{chain + "a:commit a:claim a:verify a:commit#2", "none", "a new request is not"},
		{chain + "a:retry-other a:claim a:verify a:commit", "none", "another body is not what it asked for"},
		{chain + "a:impersonate a:claim a:verify a:retry", "none", "nor did it ask, when another did"},
	})
}

// The sweeper puts back what it saw, if that still runs and its lease is dead.
func TestSwept(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "sweep-read lease-expire sweep-write a:commit", "ownership, lease", "legitimately"},
		{chain + "lease-expire sweep-read sweep-write a:commit", "ownership, lease", "in the other order, too"},
		{chain + "lease-expire sweep-read sweep-write reclaim a:claim a:verify a:commit", "none", "claimed from the queue; nobody was there to reclaim it"},
		{chain + "sweep-read sweep-write a:commit", "none", "its lease is live"},
		{chain + "sweep-write lease-expire a:commit", "lease", "it did not look"},
		{chain + "sweep-read a:claim a:verify sweep-write a:commit", "none", "it saw another attempt"},
		{"sweep-read a:claim lease-expire sweep-write a:claim#2 " + chain + "a:commit", "none", "of which it left the next alone"},
		{"sweep-read a:claim lease-expire " + chain + "sweep-write a:commit", "lease", "and that one, too"},
		{"cancel sweep-read lease-expire sweep-write a:claim " + chain + "a:commit", "active, lease", "it saw nothing to do"},
		{"sweep-read lease-expire cancel sweep-write " + chain + "a:commit", "active, lease", "and does nothing after the end"},
		{"restore sweep-read lease-expire sweep-write " + chain + "a:commit", "ownership, lease", "as is one that it sees then"},
	})
}

func TestLeaseExpired(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "lease-expire a:commit", "lease", "it ran out"},
		{"lease-expire " + chain + "a:commit", "lease", "however early"},
		{chain + "lease-expire renew a:commit", "lease", "it was renewed too late"},
		{chain + "renew lease-expire lease-expire#2 a:commit", "lease", "renewed once, and run out"},
		{chain + "renew lease-expire a:commit", "none", "renewed in time"},
		{"lease-expire a:claim " + chain + "a:commit", "none", "the next has a fresh one"},
		{"renew a:claim " + chain + "lease-expire a:commit", "lease", "and not what was left of the last"},
		{chain + "lease-expire lease-expire#2 a:claim a:verify a:commit", "none", "dead is dead"},
	})
}

func TestOutOfScope(t *testing.T) {
	check(t, model.Setup{}, []row{
		{"a:read a:candidate-unclean a:verify a:commit", "scope", "by an unclean path"},
		{"alias-move a:read a:candidate-alias a:verify a:commit", "scope", "by an alias that leads outside"},
		{"a:read a:candidate-alias a:verify alias-move a:commit", "scope, bases", "since it was prepared"},
		{"a:read a:candidate-alias a:verify a:commit", "none", "by an alias that leads inside"},
		{"a:read a:candidate-case a:verify a:commit", "none", "by another spelling of what is inside"},
		{"alias-move " + chain + "a:commit", "none", "by no alias"},
		{"a:read a:candidate-pair a:verify alias-move a:commit", "none", "by two paths, and no alias"},
	})
}

func TestNotGranted(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "revoke a:commit", "grant", "withdrawn"},
		{"revoke " + chain + "a:commit", "grant", "however early"},
		{"a:read a:candidate-pair a:verify revoke-second a:commit", "grant", "one of two"},
		{"a:read a:candidate-pair a:verify revoke a:commit", "grant", "both"},
		{"a:read a:candidate-unclean a:verify revoke a:commit", "scope, grant", "what is outside as well"},
		{"a:read a:candidate-case a:verify revoke a:commit", "grant", "in any spelling"},
		{"b:claim b:read b:candidate b:verify revoke b:impersonate", "caller, grant", "a is the caller"},
		{chain + "revoke a:impersonate", "caller", "b is, and b's are not withdrawn"},
		{chain + "revoke regrant a:commit", "none", "granted again"},
		{chain + "revoke-second a:commit", "none", "not one that it needs"},
		{"b:claim b:read b:candidate b:verify revoke b:commit", "none", "b's are not withdrawn"},
	})
}

func TestOtherContract(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "migrate a:commit", "contract, evidence", "it names the one before, as do the receipts"},
		{chain + "migrate a:verify a:commit", "contract", "verified again, for the one that it does not name"},
		{"a:candidate a:verify a:commit", "contract, dependencies", "it has read none"},
		{"a:refresh migrate a:read a:refresh a:candidate a:verify a:commit", "none", "it has read the new one"},
		{chain + "migrate a:refresh a:verify a:commit", "none", "read and verified again"},
		{chain + "publish-policy a:commit", "none", "the task stays pinned"},
	})
}

func TestInputChanged(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "input-edit a:commit", "dependencies", "the input, after it was read"},
		{"a:read input-edit a:candidate a:verify a:commit", "dependencies", "though before the candidate"},
		{chain + "file-add a:commit", "dependencies", "the directory's members"},
		{"a:read file-add a:candidate a:verify a:commit", "dependencies", "though before the candidate"},
		{chain + "input-edit a:read a:commit", "dependencies", "reading alone makes no candidate of it"},
		{"input-edit file-add " + chain + "a:commit", "none", "before it was read"},
		{chain + "input-edit a:read a:candidate a:verify a:commit", "none", "all anew"},
		{chain + "file-add a:read a:candidate a:verify a:commit", "none", "all anew"},
	})
}

func TestTargetChanged(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "foreign-publish a:commit", "bases", "by somebody else"},
		{"a:read a:candidate-pair a:verify foreign-publish a:commit", "bases", "the first of two"},
		{"a:read a:candidate-case foreign-publish a:verify a:commit", "bases", "in another spelling"},
		{"b:claim b:read b:candidate-pair b:verify a:read a:candidate a:verify b:commit! a:commit", "active, ownership, bases", "by the completion"},
		{"foreign-publish " + chain + "a:commit", "none", "before the candidate"},
		{"a:read foreign-publish a:candidate a:verify a:commit", "none", "after it was read, which does not matter"},
		{chain + "foreign-publish a:candidate a:commit", "none", "prepared again; the receipts are about the same bytes"},
		{"a:read a:candidate-unclean a:verify foreign-publish a:commit", "scope", "not what it writes"},
	})
}

func TestUnsupported(t *testing.T) {
	check(t, model.Setup{}, []row{
		{"a:read a:candidate a:commit", "evidence", "nobody has looked"},
		{"a:read a:verify a:candidate a:commit", "evidence", "there was nothing to look at"},
		{"a:read a:candidate a:verify-tests a:commit", "evidence", "no review"},
		{"a:read a:candidate a:verify-review a:commit", "evidence", "no tests"},
		{chain + "a:replace a:commit", "evidence", "other bytes"},
		{chain + "withdraw-checker a:commit", "evidence", "the reviewer is not admitted any more"},
		{chain + "migrate a:refresh a:commit", "evidence", "for another contract"},
		{chain + "migrate a:refresh a:verify-tests a:commit", "evidence", "the review is"},
		{chain + "a:claim a:commit", "evidence", "of another attempt"},
		{chain + "restart-attempts a:claim a:commit", "evidence", "of another attempt, with the same ids"},
		{chain + "restore a:claim a:commit", "evidence", "of another authority's attempt"},
		{chain + "file-add a:read a:candidate a:commit", "evidence", "of a candidate of another directory"},
		{chain + "a:commit a:replace a:verify a:retry", "evidence", "of other bytes than the request's"},
		{"b:claim b:read b:candidate a:read a:candidate a:verify b:commit", "evidence", "of another worker's"},
		{chain + "a:commit#2 a:retry-other", "evidence", "another body, and nothing was recorded"},
		{"a:read a:candidate a:verify-tests a:verify-review a:commit", "none", "one by one"},
		{chain + "a:replace a:verify a:commit", "none", "verified again"},
		{chain + "withdraw-checker a:verify-review a:commit", "none", "reviewed again"},
		{"withdraw-checker " + chain + "a:commit", "none", "by the version that is admitted"},
		{"a:read a:replace a:candidate a:verify a:commit", "none", "there was nothing to replace"},
		{chain + "a:commit a:replace a:retry", "none", "a retry is of what was verified"},
		{chain + "a:candidate-pair a:commit", "none", "the same bytes, to be published elsewhere"},
	})
}

func TestOtherRequest(t *testing.T) {
	check(t, model.Setup{}, []row{
		{chain + "a:commit! a:retry-other", "identity", "another body"},
		{chain + "a:commit! a:impersonate", "identity", "another caller"},
		{chain + "a:commit! a:replace a:commit#2", "identity", "another candidate"},
		{chain + "a:commit a:replace a:verify a:commit#2! a:retry", "identity", "the first request, of which the second was recorded"},
		{chain + "b:read b:candidate b:verify a:commit! b:commit", "active, ownership, bases", "another id is another request"},
		{chain + "a:commit! a:retry", "none", "the same"},
		{chain + "a:commit! a:commit#2", "none", "made anew, and the same"},
		{chain + "a:commit! revoke cancel lease-expire foreign-publish b:claim a:retry", "none", "whatever has happened since"},
		{chain + "a:commit! a:retry-other a:retry", "none", "whatever was tried in between"},
	})
	for history, want := range map[string]bool{
		chain + "a:commit! a:retry": true, chain + "a:commit a:retry": false, chain + "a:commit! a:retry-other": false, chain + "a:commit": false,
	} {
		if v := judge(t, model.Setup{}, history); v.Replay != want {
			t.Errorf("%s: it asks for the recorded receipt: %v", history, v.Replay)
		}
	}
}

// With parts of the contract left out, as in the study.
func TestSetups(t *testing.T) {
	check(t, model.Setup{Optional: true}, []row{
		{"a:read a:candidate a:verify-tests a:commit", "none", "no review is required"},
		{"a:read a:candidate a:verify-review a:commit", "evidence", "tests are"},
		{chain + "withdraw-checker a:commit", "none", "nor an admitted one"},
	})
	check(t, model.Setup{InPlace: true}, []row{
		{"a:read a:candidate foreign-publish a:verify a:commit", "bases, evidence", "the checker saw other bytes"},
		{"a:read a:candidate a:verify foreign-publish a:commit", "bases", "the checker saw the candidate"},
		{"foreign-publish a:read a:candidate a:verify a:commit", "none", "the candidate overwrote the edit"},
		{"a:read a:candidate b:read b:candidate a:verify a:commit", "evidence", "the other worker's candidate is there"},
		{"b:read b:candidate a:read a:candidate a:verify a:commit", "none", "its own is"},
	})
}

func TestStanding(t *testing.T) {
	tests := []struct {
		history string
		want    oracle.Standing
		why     string
	}{
		{"", oracle.Standing{Assignment: 1}, "worker a's"},
		{"renew lease-expire", oracle.Standing{Assignment: 1}, "a dead lease assigns nothing"},
		{"b:claim reclaim restage", oracle.Standing{Assignment: 4}, "three more"},
		{"cancel b:claim reclaim restage", oracle.Standing{Assignment: 1, Ended: true}, "it has ended"},
		{"a:report-failure", oracle.Standing{Assignment: 1, Ended: true}, "it has ended"},
		{chain + "a:commit!", oracle.Standing{Assignment: 1, Ended: true}, "it has ended"},
		{chain + "a:commit", oracle.Standing{Assignment: 1}, "nothing was recorded"},
		{"sweep-read lease-expire sweep-write sweep-write#2", oracle.Standing{Assignment: 2}, "put back, once"},
		{"sweep-read sweep-write", oracle.Standing{Assignment: 1}, "its lease is live"},
		{"restore", oracle.Standing{Assignment: 2}, "another authority's"},
		{"sweep-read restore lease-expire sweep-write", oracle.Standing{Assignment: 3}, "the attempt that was seen is there after a restore, too"},
		{"sweep-read restore reclaim lease-expire sweep-write", oracle.Standing{Assignment: 3}, "it is not after that"},
	}
	for _, tt := range tests {
		s, h := model.Initial(model.Setup{}), oracle.Begin(model.Setup{})
		for name := range strings.FieldsSeq(tt.history) {
			name, recorded := strings.CutSuffix(name, "!")
			e, err := model.ParseEvent(name)
			if err != nil {
				t.Fatal(err)
			}
			if recorded {
				h.Record(s.Request(e))
			}
			s.Step(e)
			h.Step(e)
		}
		if got := h.Standing(); got != tt.want {
			t.Errorf("%q: %+v, want %+v: %s", tt.history, got, tt.want, tt.why)
		}
	}
}

func TestReasons(t *testing.T) {
	const names = "active, caller, ownership, lease, scope, grant, contract, dependencies, bases, evidence, identity"
	all := oracle.AllReasons()
	var union oracle.Reasons
	sentences := map[string]bool{}
	for i, r := range all {
		if r != 1<<i || r.String() != strings.Split(names, ", ")[i] || len(r.Sentences()) != 1 {
			t.Errorf("reason %d is %d, called %v: %q", i, r, r, r.Sentences())
		}
		sentences[r.Sentences()[0]] = true
		union |= r
	}
	if len(all) != 11 || len(sentences) != 11 || union.String() != names || !slices.Equal(union.Each(), all) {
		t.Errorf("%d reasons with %d sentences: %v", len(all), len(sentences), union)
	}
	if none := oracle.Reasons(0); none.String() != "none" || none.Names() == nil || len(none.Names())+len(none.Sentences())+len(none.Each()) != 0 {
		t.Errorf("no reasons are called %v, %v", none, none.Names())
	}
}
