package live

import (
	"context"
	"math/rand/v2"

	mechanisms "example.com/commitpoint/mechanisms/contract"
	"example.com/commitpoint/model/contract"
)

// turn has the worker do the next thing of its plan, after making one if it has none; or
// nothing, if it would rather wait.
func (w *worker) turn(ctx context.Context, random *rand.Rand) {
	if a := w.notice.Swap(nil); a != nil {
		w.take(*a)
	}
	if len(w.plan) == 0 {
		w.plan = w.intend(random)
	}
	if len(w.plan) == 0 {
		return
	}
	k := w.plan[0]
	w.plan = w.plan[1:]
	if k == contract.Commit {
		w.submit()
	}
	in := Input{Event: contract.Event{Worker: w.who, Kind: k}, Own: w.own}
	if k == contract.Renew {
		in.Event.Worker, in.By = 0, w.who // the model has it be the owner, whoever that is
	}
	answer, outcome := w.task.do(ctx, int(w.who)-1, in, func(ctx context.Context) (Answer, error) { return w.act(ctx, k) })
	w.learn(random, k, answer, outcome)
}

// intend returns what a worker does that has nothing begun. Mostly it makes sense: random
// events would hardly ever lead to a completion, and the races are about that.
func (w *worker) intend(random *rand.Rand) []contract.Kind {
	var plan []contract.Kind
	switch {
	case w.finished:
		return w.ask(random)
	case w.lost && random.IntN(8) > 0:
		return nil // leave it to whoever has the task
	case w.lost:
		plan = append(plan, contract.Claim)
	case w.own.Told == contract.Identity{} && random.IntN(3) == 0, random.IntN(12) == 0:
		plan = append(plan, contract.Claim)
	}
	plan = append(plan, contract.Read)
	plan = append(plan, preparation(random))
	plan = append(plan, verification(random)...)
	return append(plan, submission(random)...)
}

// ask returns what can be asked of a past that will not change any more.
func (w *worker) ask(random *rand.Rand) []contract.Kind {
	if w.own.Sent == (contract.Request{}) {
		return []contract.Kind{contract.Claim}
	}
	return []contract.Kind{pick(random, []chance{
		{contract.Retry, 3}, {contract.Impersonate, 1}, {contract.RetryOther, 1}, {contract.Report, 1},
		{contract.Claim, 1}, {contract.Commit, 1}, {contract.Preflight, 1}, {contract.Renew, 1},
	})}
}

// preparation returns one of the ways to prepare a candidate.
func preparation(random *rand.Rand) contract.Kind {
	return pick(random, []chance{
		{contract.Prepare, 10}, {contract.PreparePair, 8}, {contract.PrepareAlias, 5}, {contract.PrepareCase, 2}, {contract.PrepareUnclean, 1},
	})
}

// verification returns both checks in any order; now and then one is forgotten.
func verification(random *rand.Rand) []contract.Kind {
	plan := []contract.Kind{contract.VerifyTests, contract.VerifyReview}
	random.Shuffle(2, func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
	if random.IntN(15) == 0 {
		return plan[1:]
	}
	return plan
}

// submission returns how a candidate is submitted, and what comes between.
func submission(random *rand.Rand) []contract.Kind {
	var plan []contract.Kind
	for _, rare := range [...]struct {
		kind contract.Kind
		once int // in so many
	}{
		{contract.Preflight, 2}, {contract.Renew, 8}, {contract.Replace, 30}, {contract.Report, 60},
	} {
		if random.IntN(rare.once) == 0 {
			plan = append(plan, rare.kind)
		}
	}
	return append(plan, contract.Commit)
}

// learn has the worker draw its conclusions.
func (w *worker) learn(random *rand.Rand, k contract.Kind, answer Answer, outcome outcome) {
	switch {
	case outcome == struck, outcome == unknown && !k.Decides():
		w.plan = append([]contract.Kind{k}, w.plan...) // it can be done again, whatever has happened
		return
	case outcome == unknown:
		w.doubtful = k == contract.Commit || k == contract.Retry
		w.plan = []contract.Kind{contract.Retry}
		return
	case w.doubtful && k == contract.Retry:
		w.doubtful = false
		w.task.run.tally(func(c *Counts) {
			if answer.Replayed {
				c.Happened++
			} else {
				c.NotHappened++
			}
		})
	}
	w.finished = w.finished || answer.ends()
	if w.finished {
		w.plan = nil
	} else if k.Decides() && answer.Refusal != "" {
		w.plan = w.recovery(random, answer.Refusal)
	}
}

// recovery returns what is legitimate to do about a refusal, as far as a worker can, and a
// new submission.
func (w *worker) recovery(random *rand.Rand, refusal string) []contract.Kind {
	var plan []contract.Kind
	for _, c := range contract.All.Each() {
		if c.String() != refusal {
			continue
		}
		events, _ := mechanisms.Recover(c)
		for _, k := range events {
			switch k {
			case contract.Claim:
				w.lost = true // which is for later
				return nil
			case contract.Prepare:
				plan = append(plan, preparation(random))
			case contract.Verify:
				plan = append(plan, verification(random)...)
			case contract.Regrant: // the administrator's
			default:
				plan = append(plan, k)
			}
		}
	}
	return append(plan, submission(random)...)
}
