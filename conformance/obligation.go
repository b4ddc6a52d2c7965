package conformance

import (
	"slices"

	"example.com/commitpoint/study"
)

// WrongRecord is the kind of an error that is not a decision: what a service recorded, or
// answered when a request came again, is not what the protocol allows. The other kinds
// are study.UnsafeAccept and study.EligibleReject.
const WrongRecord study.Kind = "wrong-record"

// Kinds returns the three kinds of error, in the order in which they are reported.
func Kinds() []study.Kind { return append(study.Kinds(), WrongRecord) }

// The reasons of a WrongRecord.
const (
	earlyWrite     = "early-write"    // a completion is recorded that no request asked for
	secondWrite    = "second-write"   // more than one completion is
	lostWrite      = "lost-write"     // an accepted completion is not recorded
	otherReceipt   = "other-receipt"  // an identical request was answered with another receipt
	refusalWrites  = "refusal-writes" // a refused request changed something
	replayWrites   = "replay-writes"  // one that was answered again did
	wrongStatus    = "status"         // the task has another status than it ought to
	wrongPublished = "published"      // a target was published more or less often
)

// meanings says what each is, after the name of the system.
var meanings = map[string]string{
	earlyWrite:     "recorded a completion that no accepted request asked for",
	secondWrite:    "recorded a second completion of the task",
	lostWrite:      "did not record, or lost, the completion that it accepted",
	otherReceipt:   "answered an identical request with another receipt",
	refusalWrites:  "changed what it has recorded, on a request that it refused",
	replayWrites:   "changed what it has recorded, on a request that it had recorded before",
	wrongStatus:    "gives the task another status than it ought to have",
	wrongPublished: "published a target more or less often than it ought to",
}

// The reasons of an eligible reject are what the system says, or one of these.
const (
	unexplained   = "unexplained"    // it says nothing
	retryRefused  = "retry"          // an identical request was refused
	otherRefusals = "other refusals" // beyond those that are told apart
	anyRefusal    = "any"            // all of them
)

// An obligation is a way to fail: histories with the same one fail for the same reason.
type obligation struct {
	kind   study.Kind
	reason string
}

func (o obligation) String() string { return string(o.kind) + "/" + o.reason }

// obligations returns how a system can fail where x is right.
func (x Expected) obligations() []obligation {
	switch {
	case x.Replay:
		return []obligation{{study.EligibleReject, retryRefused}, {WrongRecord, otherReceipt}, {WrongRecord, replayWrites}}
	case x.Eligible():
		return []obligation{{study.EligibleReject, anyRefusal}, {WrongRecord, lostWrite}}
	}
	return append(x.unsafe(), obligation{WrongRecord, refusalWrites})
}

// unsafe returns what accepting is, where x says not to.
func (x Expected) unsafe() []obligation {
	list := make([]obligation, len(x.Reasons), len(x.Reasons)+1)
	for i, r := range x.Reasons {
		list[i] = obligation{study.UnsafeAccept, r}
	}
	return list
}

// judgeDecision returns what is wrong with a decision, nothing if it is right.
func judgeDecision(x Expected, d Decision) []obligation {
	switch {
	case d.Accepted && !x.Eligible():
		return x.unsafe()
	case d.Accepted || !x.Eligible():
		return nil
	case x.Replay:
		return []obligation{{study.EligibleReject, retryRefused}}
	case d.Refusal == "":
		return []obligation{{study.EligibleReject, unexplained}}
	}
	return []obligation{{study.EligibleReject, d.Refusal}}
}

// judgeRecord returns what is wrong with what is recorded, where w is right and receipt
// is that of the accepted completion, if there is one.
func judgeRecord(w *World, receipt string, r Record) []obligation {
	wrong := func(reason string) []obligation { return []obligation{{WrongRecord, reason}} }
	switch {
	case len(r.Receipts) > w.Writes && w.Writes == 0:
		return wrong(earlyWrite)
	case len(r.Receipts) > w.Writes:
		return wrong(secondWrite)
	case len(r.Receipts) < w.Writes || w.Writes > 0 && r.Receipts[0] != receipt:
		return wrong(lostWrite)
	case r.Status != "" && r.Status != w.Status:
		return wrong(wrongStatus)
	}
	for target, n := range w.Published {
		if m, reported := r.Published[target]; reported && m != n {
			return wrong(wrongPublished)
		}
	}
	return nil
}

// judgeChange returns what is wrong if a request that must change nothing did.
func judgeChange(x Expected, before, after Record) []obligation {
	if slices.Equal(before.Receipts, after.Receipts) && before.State == after.State && before.Status == after.Status {
		return nil
	}
	if x.Replay {
		return []obligation{{WrongRecord, replayWrites}}
	}
	return []obligation{{WrongRecord, refusalWrites}}
}
