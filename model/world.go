package model

import (
	"strconv"
	"strings"
)

// A Checker is a version of the program that decides whether a candidate meets
// the criterion.
type Checker uint8

// The checkers. The study's negative control shows what an admitted but
// inadequate one lets through.
const (
	Doubles   Checker = iota + 1 // the output is twice the input
	IsInteger                    // inadequate: the output is an integer
)

// Passes runs the checker on content, against the input that was read. Leading
// and trailing space in the content does not matter to it.
func (c Checker) Passes(read Revision, content Blob) bool {
	n, err := strconv.Atoi(strings.TrimSpace(content.Bytes()))
	switch c {
	case Doubles:
		return err == nil && n == 2*read.Value()
	case IsInteger:
		return err == nil
	}
	return false
}

// contract is the text whose hash the task is pinned to.
const contract = "task: double the input\ncriterion: the output is twice the input\npolicy: behavior-v1\n"

var assigned = Task{
	ID:        1,
	Policy:    BehaviorV1,
	Criterion: OutputIsDouble,
	Checker:   Doubles,
	Contract:  NewBlob(contract).Digest(),
}

// Assigned returns the task as it was assigned, before any event.
func Assigned() Task { return assigned }

// Owner returns who holds the task before any event: worker A, whose requests
// carry this attempt, principal and fence whatever happens later.
func Owner() Ownership {
	return Ownership{Attempt: 1, Principal: WorkerA, Fence: 1, LeaseLive: true}
}

// draft is what the artifact holds before any event.
var draft = NewBlob("draft\n")

// answers and edits hold the content that ordinary histories need, so that
// nothing is hashed while schedules are walked: an input is edited at most once
// an event, and an order has at most 64 events.
var (
	answers = table(func(i int) Blob { return computeAnswer(Revision(i)) })
	edits   = table(func(i int) Blob { return computeEdit(uint8(i)) })
)

func table(make func(int) Blob) (t [66]Blob) {
	for i := range t {
		t[i] = make(i)
	}
	return t
}

// Answer returns what the worker makes of the input with revision r.
func Answer(r Revision) Blob {
	if int(r) < len(answers) {
		return answers[r]
	}
	return computeAnswer(r)
}

func computeAnswer(r Revision) Blob {
	return NewBlob(strconv.Itoa(2 * r.Value()))
}

// edit returns the content that the n-th edit of the artifact leaves there.
func edit(n uint8) Blob {
	if int(n) < len(edits) {
		return edits[n]
	}
	return computeEdit(n)
}

func computeEdit(n uint8) Blob {
	return NewBlob("overwritten by another writer, edit " + strconv.Itoa(max(1, int(n))) + "\n")
}
