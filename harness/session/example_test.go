package session_test

import (
	"context"
	"fmt"
	"log"

	"example.com/commitpoint/harness/session"
)

// A whole program: it starts a session, asks it who it is, and removes it. Enter comes before
// everything else, since the session's processes begin here, too.
func Example() {
	session.Enter()

	ctx := context.Background()
	s, err := session.Start(ctx, session.Options{Session: "a", Generation: 7, Build: "r2024"})
	if err != nil {
		log.Fatal(err) // errors.Is(err, session.ErrUnsupported): not on this system
	}
	answer, err := s.Query(ctx)
	fmt.Println(answer.Session, answer.Generation, answer.Build, err)

	// Only nil says that it is gone, and nothing of it left.
	if err := s.Remove(ctx, s.Identity()); err != nil {
		log.Fatal(err)
	}
}
