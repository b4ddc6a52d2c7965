package sqlservice_test

import (
	"context"
	"fmt"

	"sqlservice.example"
)

// A worker does its task; then somebody revokes its grant, and another request of the
// same kind is refused.
func Example() {
	ctx := context.Background()
	db, err := sqlservice.Open(ctx, ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	s := sqlservice.New(db, sqlservice.Options{})
	s.CreateProject(ctx, sqlservice.Project{
		ID: "numbers", Input: "21",
		Checkers: map[string]string{"tests": "doubles"},
		Grants:   map[string][]string{"ada": {"out/answer"}},
	})
	for _, id := range []string{"first", "second"} {
		attempt, _ := s.CreateTask(ctx, "numbers", "ada", sqlservice.Contract{Task: id, Criteria: []string{"tests"}, Scope: "out"})
		now, _ := s.Read(ctx, id)
		candidate, _ := s.Prepare(ctx, "numbers", sqlservice.Draft{
			Bytes: []byte("42"), Paths: []string{"out/answer"}, Inputs: now.Inputs, Members: now.Members,
		})
		s.Verify(ctx, sqlservice.Check{Attempt: attempt, Candidate: candidate.Digest(), Criterion: "tests"})
		decision, err := s.Complete(ctx, "ada", sqlservice.Request{
			ID: "1", Attempt: attempt, Contract: now.Contract, Candidate: candidate.Digest(),
		})
		fmt.Println(id, decision.Accepted, decision.Refusal, err)
		s.Revoke(ctx, "numbers", "ada", "out/answer")
	}
	// Output:
	// first true  <nil>
	// second false grant <nil>
}
