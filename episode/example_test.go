package episode_test

import (
	"fmt"

	"example.com/commitpoint/episode"
)

// A purchase above the threshold takes an approval, and the approval takes a fresh
// admission.
func ExampleEpisode() {
	e, err := episode.Begin(episode.Terms{
		Reconciliation: episode.Reconciliation{Sources: []string{"airline"}},
		Policy:         "travel-1",
		Delegations: []episode.Delegation{{Principal: "ann", Carrier: "bot", Actions: []string{"purchase"},
			Budget: 400, Threshold: 200}},
		Outcome: []episode.Want{{Fact: "ticket"}},
	})
	if err != nil {
		panic(err)
	}
	buy := episode.Intent{ID: "buy", Carrier: "bot", Action: "purchase", Cost: 320, Final: true}
	admit := func() {
		if _, err := e.Observe("bot"); err != nil {
			panic(err)
		}
		decision, err := e.Admit(buy)
		if err != nil {
			panic(err)
		}
		fmt.Println(decision)
	}
	admit()
	fmt.Println(e.Approve("ann", "buy"))
	fmt.Println(e.Reserve("buy"))
	admit()
	fmt.Println(e.Reserve("buy"), e.Dispatch("buy"))
	_, err = e.Close(episode.Fulfilled)
	fmt.Println(err)
	// Output:
	// ESCALATE
	// <nil>
	// reserve "buy": refused: the decision is ESCALATE (authority: it is final, its cost of 320 is above the threshold of 200, and ann has not approved it); observe and admit again when that has changed
	// ALLOW
	// <nil> <nil>
	// close as "fulfilled": refused: outcome ticket is unknown; settle that and 1 more, or end it otherwise
}

// A guard of one's own, beside the six.
func ExampleAdmit() {
	limit := episode.Guard{
		Name: "two at most",
		Check: func(v episode.View, in episode.Intent) (episode.Answer, string) {
			if len(v.Holds) < 2 {
				return episode.Pass, "there are fewer than two reservations"
			}
			return episode.Hold, "there are two reservations"
		},
	}
	view := episode.View{
		Version: 9, Latest: 9, Carrier: "bot", Policy: "travel-1",
		Delegation: episode.Delegation{Principal: "ann", Carrier: "bot", Actions: []string{"purchase"}, Budget: 400},
		Holds:      []episode.Reservation{{Action: "a"}, {Action: "b"}},
	}
	decision, err := episode.Admit(view, episode.Intent{ID: "buy", Carrier: "bot", Action: "purchase"}, append(episode.Guards(), limit)...)
	fmt.Println(decision, decision.Because(), err)
	// Output:
	// HOLD [{two at most HOLD there are two reservations}] <nil>
}
