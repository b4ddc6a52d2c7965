package enumerate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// A Sampled is what a random sample of schedules shows. Its verdict is always
// Incomplete: what the sample does not show can still happen.
type Sampled[O comparable] struct {
	Schedules Count // that there are
	Samples   int   // that were drawn, with replacement
	Observed  []Frequency[O]
}

// Verdict returns Incomplete.
func (Sampled[O]) Verdict() Verdict { return Incomplete }

// A Frequency says in how many of the drawn schedules a value was observed at
// least once.
type Frequency[O comparable] struct {
	Value   O
	Samples int
	// Low and High are the Wilson score interval for the share of all schedules in
	// which the value is observed: a method that covers the true share in about 95
	// of 100 samples. It is about the schedules of the order, each as likely as any
	// other, and says nothing about how often anything happens in the world.
	Low, High float64
}

// Sample draws schedules of o at random, each with exactly the same probability,
// and observes them. The draw is decided by seed: the same arguments give the
// same result.
//
// A Guarded machine can't be sampled, because its schedules are not the order's:
// that is an error. The down-sets of o have to fit in the node limit.
func Sample[S, E, O comparable](ctx context.Context, o Order[E], m Machine[S, E], observe Observer[S, E, O],
	samples int, seed uint64, opt Options) (Sampled[O], error) {
	if _, guarded := m.(Guarded[S, E]); guarded {
		return Sampled[O]{}, fmt.Errorf("sample: the machine blocks events, and its schedules are not those of the order; use Tally")
	}
	if samples < 1 {
		return Sampled[O]{}, fmt.Errorf("sample: %d schedules to draw; use 1 or more", samples)
	}
	opt, err := opt.complete()
	if err != nil {
		return Sampled[O]{}, err
	}
	if opt.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.MaxTime, errTime(opt.MaxTime))
		defer cancel()
	}
	t, err := newTallier([]Order[E]{o}, m, observe, opt)
	if err == nil {
		err = t.prepare(ctx)
	}
	if err != nil {
		return Sampled[O]{}, t.explain(ctx, err)
	}
	s := sampler[S, E, O]{tallier: t, index: newIndex[O](), random: rand.New(rand.NewPCG(seed, 0))}
	for n := range samples {
		if err := context.Cause(ctx); err != nil {
			return Sampled[O]{}, &IncompleteError{Progress: Progress{Schedules: uint64(n)}, Cause: err}
		}
		if err := s.draw(); err != nil {
			return Sampled[O]{}, err
		}
	}
	result := Sampled[O]{Schedules: t.sets.ways[0], Samples: samples}
	for id, n := range s.drawn {
		low, high := wilson(n, samples)
		result.Observed = append(result.Observed, Frequency[O]{*s.index.values.at(int32(id)), n, low, high})
	}
	return result, nil
}

type sampler[S, E, O comparable] struct {
	*tallier[S, E, O]
	index  index[O]
	random *rand.Rand
	drawn  []int // schedules in which each value was observed
	last   []int // the last of them, so that a schedule counts once
	round  int
}

// draw walks one schedule.
func (s *sampler[S, E, O]) draw() (err error) {
	var history []int
	defer func() {
		if p := recover(); p != nil {
			err = &Fault{What: fmt.Sprintf("panics: %v", p), History: s.order.namesOf(history), Known: true}
		}
	}()
	s.round++
	state, done := s.machine.Init(), set(0)
	for done != s.order.live {
		i := s.order.pick(s.sets, done, s.random)
		e := s.order.events[i]
		history = append(history, i)
		next := s.machine.Next(state, e)
		if see := s.see[i]; see != nil {
			if value, seen := see(state, e, next); seen {
				s.count(value)
			}
		}
		state, done = next, done|only(i)
	}
	return nil
}

func (s *sampler[S, E, O]) count(value O) {
	id, isNew := s.index.number(&value)
	if isNew {
		s.drawn, s.last = append(s.drawn, 0), append(s.last, 0)
	}
	if s.last[id] != s.round {
		s.last[id] = s.round
		s.drawn[id]++
	}
}

// pick returns the next event of a schedule that is drawn when those of done were, each
// as likely as its share of the schedules that are left.
func (o Order[E]) pick(sets *downSets, done set, random *rand.Rand) int {
	ways := func(d set) Count { return sets.ways[sets.id(&d)] }
	r := below(random, ways(done))
	for rest := o.above(done); ; rest &= rest - 1 {
		i := rest.least()
		w := ways(done | only(i))
		if r.Cmp(w) < 0 {
			return i
		}
		r = r.minus(w)
	}
}

// below returns a number from 0 to n-1, each with the same probability.
func below(random *rand.Rand, n Count) Count {
	mask := Count{hi: math.MaxUint64, lo: math.MaxUint64}
	last := n.minus(NewCount(1))
	for mask.hi>>1 >= last.hi && mask.hi > 0 {
		mask.hi >>= 1
	}
	for mask.hi == 0 && mask.lo>>1 >= last.lo && mask.lo > 0 {
		mask.lo >>= 1
	}
	for {
		c := Count{random.Uint64() & mask.hi, random.Uint64() & mask.lo}
		if c.Cmp(n) < 0 {
			return c
		}
	}
}

// wilson returns the 95 % Wilson score interval for k of n.
func wilson(k, n int) (low, high float64) {
	const z = 1.959963984540054
	p, size := float64(k)/float64(n), float64(n)
	center := p + z*z/(2*size)
	spread := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	scale := 1 + z*z/size
	return max(0, (center-spread)/scale), min(1, (center+spread)/scale)
}
