package study_test

import (
	"context"
	"fmt"
	"strings"

	"example.com/commitpoint/mechanisms"
	"example.com/commitpoint/model"
	"example.com/commitpoint/study"
)

// A rule that requires all of the contract, but when it takes the request and not
// when it records the completion.
func ExampleTest() {
	early := mechanisms.AtPreflight(mechanisms.Func("early", func(s model.State, r model.Request) mechanisms.Decision {
		return mechanisms.Require(s, r, model.All)
	}))
	err := study.Test(early)
	summary, _, _ := strings.Cut(err.Error(), "\n")
	fmt.Println(summary)
	// Output:
	// "early" accepted a completion that was not eligible (197 of 6,694 schedules, 718 in all)
}

// Rules of one's own, scored beside the study's.
func ExampleEvaluate() {
	ours := mechanisms.Func("ours", func(s model.State, r model.Request) mechanisms.Decision {
		return mechanisms.Require(s, r, model.All&^(model.Inputs|model.Artifact))
	})
	list := append(mechanisms.All(), ours)
	scenarios, err := study.Evaluate(context.Background(), study.Options{Mechanisms: list})
	if err != nil {
		fmt.Println(err)
		return
	}
	unsafe := make([]uint64, len(list))
	for _, s := range scenarios {
		for i := range list {
			unsafe[i] += s.Scores[i].UnsafeAccept
		}
	}
	for i, m := range list {
		if strings.HasPrefix(m.Name, "without-inputs") || strings.HasPrefix(m.Name, "without-artifact") || m.Name == "ours" {
			fmt.Println(m.Name, unsafe[i])
		}
	}
	// Output:
	// without-inputs 328
	// without-artifact 134
	// ours 582
}

// One history, decided by one mechanism.
func ExampleDecide() {
	var history []model.Event
	for name := range strings.SplitSeq("read candidate trusted-verify preflight artifact-edit commit", " ") {
		e, err := model.ParseEvent(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		history = append(history, e)
	}
	for _, name := range []string{"preflight-cached", "atomic"} {
		m, err := mechanisms.Named(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		d, err := study.Decide(m, history)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: accepted %v, eligible %v, fails %v\n", name, d.Accepted, d.Verdict.Eligible(), d.Decision.Failed)
	}
	// Output:
	// preflight-cached: accepted true, eligible false, fails none
	// atomic: accepted false, eligible false, fails artifact
}
