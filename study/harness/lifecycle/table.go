package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"example.com/commitpoint/harness"
	"example.com/commitpoint/harness/session"
)

// A check is one of the eight. It returns what it saw, or what is wrong with it.
type check struct {
	id    string
	needs func(*bench) []*subject
	do    func(*bench, context.Context) (seen string, err error)
}

func nobody(*bench) []*subject   { return nil }
func onlyA(b *bench) []*subject  { return []*subject{b.a} }
func onlyB(b *bench) []*subject  { return []*subject{b.b} }
func bothAB(b *bench) []*subject { return []*subject{b.a, b.b} }

// table has the checks in order. Each leaves both sessions as it found them, but for the
// first, which starts them, and the last two.
var table = []check{
	{"LC-01", nobody, (*bench).ownIdentity},
	{"LC-02", bothAB, (*bench).occupied},
	{"LC-03", onlyA, (*bench).descendant},
	{"LC-04", onlyA, (*bench).stale},
	{"LC-05", onlyA, (*bench).retained},
	{"LC-06", onlyA, (*bench).unacknowledged},
	{"LC-07", bothAB, (*bench).removeOne},
	{"LC-08", onlyB, (*bench).removeLast},
}

// ownIdentity starts two sessions, and asks each who it is.
func (b *bench) ownIdentity(ctx context.Context) (string, error) {
	for _, s := range []*subject{b.a, b.b} {
		if err := b.start(ctx, s); err != nil {
			if errors.Is(err, session.ErrUnsupported) {
				b.unsupported = err // for c it is c's only
			}
			return "", err
		}
	}
	if err := b.still(ctx, b.a, b.b); err != nil {
		return "", err
	}
	of := func(s *subject) string {
		return fmt.Sprintf("%s is generation %d, %s", s.options.Session, s.options.Generation, s.options.Build)
	}
	return fmt.Sprintf("each answers on 127.0.0.1:%d: %s; %s", port, of(b.a), of(b.b)), nil
}

// ask asks a session who it is. One that does not answer, or is somebody else, is lost.
func (b *bench) ask(ctx context.Context, s *subject) (session.Answer, error) {
	name := s.options.Session
	got, err := s.Query(ctx)
	if err != nil {
		s.lost = "it does not answer"
		return got, fmt.Errorf("%s does not answer: %w", name, err)
	}
	if got != s.want() {
		s.lost = "another one answers for it"
		return got, fmt.Errorf("%s answers as session %s of run %s, generation %d, %s: it is another one",
			name, got.Session, got.Run, got.Generation, got.Build)
	}
	return got, nil
}

// still asks several, each of them in any case.
func (b *bench) still(ctx context.Context, all ...*subject) (err error) {
	for _, s := range all {
		_, failed := b.ask(ctx, s)
		err = errors.Join(err, failed)
	}
	return err
}

// occupied binds the port of a once more. That it fails is not enough: it could for want of
// a permission; and a conflict is no reason to end who was there first, in a or elsewhere.
func (b *bench) occupied(ctx context.Context) (string, error) {
	switch err := b.a.Bind(ctx); {
	case err == nil:
		return "", errors.New("a second bind of the port succeeded in a")
	case !errors.Is(err, syscall.EADDRINUSE):
		return "", fmt.Errorf("the second bind failed for another reason than an address in use: %w", err)
	}
	if err := b.still(ctx, b.a, b.b); err != nil {
		return "", err
	}
	return "EADDRINUSE; both listeners still answer", nil
}

// descendant looks for the detached child of a: what leaves the OS session of its parent is
// out of reach for who ends a process group, and still a part of the workload.
func (b *bench) descendant(ctx context.Context) (string, error) {
	list, err := b.a.Processes(ctx)
	if err != nil {
		return "", err
	}
	if err := detached(list); err != nil {
		return "", err
	}
	return "the sleeping child is alive within a, in another OS session than PID 1", nil
}

// detached reports whether among the processes of a session is a sleeping one that is
// detached from the first.
func detached(list []session.Process) error {
	find := func(role string) (session.Process, error) {
		i := slices.IndexFunc(list, func(p session.Process) bool { return p.Role == role })
		if i < 0 {
			return session.Process{}, fmt.Errorf("a has no process %q", role)
		}
		return list[i], nil
	}
	first, err1 := find("init")
	child, err2 := find("sleep")
	switch {
	case err1 != nil || err2 != nil:
		return errors.Join(err1, err2)
	case child.Namespace != first.Namespace:
		return errors.New("the child is not in the PID namespace of a")
	case child.Leader == first.Leader || child.Leader != child.PID:
		return errors.New("the child does not lead an OS session of its own")
	}
	return nil
}

// stale asks for the cleanup of the generation before. What counts is that a is there after
// it, so that this is looked at first, whatever was answered.
func (b *bench) stale(ctx context.Context) (string, error) {
	old := b.a.want().Identity
	old.Generation--
	r := cleanup(ctx, b.a, old, intact)
	if err := b.still(ctx, b.a); err != nil {
		return "", fmt.Errorf("after a stale cleanup (%s): %w", r.outcome(), err)
	}
	if r.outcome() != refused {
		return "", fmt.Errorf("a stale cleanup was not refused: %v", r)
	}
	return "the stale generation is refused; a still answers", nil
}

// retained checks two leases of a, which differ in the time of the approval only. The
// times are simulated; whose workload it is says the workload.
func (b *bench) retained(ctx context.Context) (string, error) {
	who, err := b.ask(ctx, b.a)
	if err != nil {
		return "", err
	}
	of := harness.Identity{Run: who.Run, Owner: who.Session, Workload: service, Generation: who.Generation}
	granted := b.a.want()
	prior := time.Date(2026, time.October, 1, 12, 0, 0, 0, time.UTC)
	lease := harness.Lease{
		Identity:    harness.Identity{Run: granted.Run, Owner: granted.Session, Workload: service, Generation: granted.Generation},
		Approved:    prior.Add(-time.Second),
		PriorExpiry: prior,
		Expiry:      prior.Add(time.Hour),
	}
	now := prior.Add(time.Minute)
	if err := lease.Check(of, now); err != nil {
		return "", fmt.Errorf("an approval before the prior expiry does not count: %w", err)
	}
	if lease.Approved = prior.Add(time.Second); lease.Check(of, now) == nil {
		return "", errors.New("an approval after the prior expiry counts")
	}
	return "approved before the prior expiry: accepted; approved after it: rejected", nil
}

// service is what the leases call the workload of a session, which has only one; the owner
// is the session.
const service = "service"

// unacknowledged asks for two cleanups whose acknowledgements are lost: of a, to which the
// request never comes, and of c, which is really removed. What the one who asks has in hands
// is the same, so that it must conclude the same: nothing.
func (b *bench) unacknowledged(ctx context.Context) (string, error) {
	if err := b.start(ctx, b.c); err != nil {
		return "", err
	}
	ofA := cleanup(ctx, b.a, b.a.want().Identity, beforeRemoval)
	ofC := cleanup(ctx, b.c, b.c.want().Identity, afterRemoval)
	if err := silent(ofA, ofC); err != nil {
		return "", err
	}
	if err := b.still(ctx, b.a); err != nil {
		return "", err
	}
	if err := b.present(ctx, map[string]bool{"a": true, "c": false}); err != nil {
		return "", err
	}
	return "UNKNOWN for a, to which the request never came, and for c, which was removed: only an inventory tells them apart", nil
}

// silent reports whether two replies are both unknown, and the same to the one who asked.
func silent(ofA, ofC reply) error {
	if a, c := ofA.outcome(), ofC.outcome(); a != unknown || c != unknown {
		return fmt.Errorf("without an acknowledgement, the cleanup of a is said to be %s, and that of c %s", a, c)
	}
	if a, c := ofA.String(), ofC.String(); a != c {
		return fmt.Errorf("the silence about a and that about c differ: %s; %s", a, c)
	}
	return nil
}

// removeOne removes a, and leaves b. The acknowledgement is one thing, and what is there is
// another: both have to be right.
func (b *bench) removeOne(ctx context.Context) (string, error) {
	if r := cleanup(ctx, b.a, b.a.want().Identity, intact); r.outcome() != removed {
		return "", fmt.Errorf("the removal of a is %v", r)
	}
	// That b is there shows that the inventory sees what is there.
	if err := b.present(ctx, map[string]bool{"a": false, "b": true}); err != nil {
		return "", err
	}
	if err := b.still(ctx, b.b); err != nil {
		return "", err
	}
	return "a is absent from a successful inventory; b still answers", nil
}

// removeLast removes b, after which nothing of the run may be left.
func (b *bench) removeLast(ctx context.Context) (string, error) {
	if r := cleanup(ctx, b.b, b.b.want().Identity, intact); r.outcome() != removed {
		return "", fmt.Errorf("the removal of b is %v", r)
	}
	b.sweep(ctx) // what a check that failed has left of the others is no failure of this one
	rest, err := b.inventory(ctx, b.run)
	if err != nil {
		return "", fmt.Errorf("what remains is UNKNOWN: %w", err)
	}
	if len(rest) > 0 {
		return "", fmt.Errorf("remaining: %d", len(rest))
	}
	return "remaining: 0", nil
}

// present makes an inventory, and compares it with which sessions have to be in it. One that
// is unsuccessful says nothing of any of them, whatever is in it.
func (b *bench) present(ctx context.Context, want map[string]bool) error {
	list, err := b.inventory(ctx, b.run)
	if err != nil {
		return fmt.Errorf("what is there is UNKNOWN: %w", err)
	}
	got := map[string]bool{}
	for _, p := range list {
		got[p.Session] = true
	}
	for _, name := range []string{"a", "b", "c"} {
		if there, asked := want[name]; asked && there != got[name] {
			return fmt.Errorf("%s is in a successful inventory: %v, and should be: %v", name, got[name], there)
		}
	}
	return nil
}
