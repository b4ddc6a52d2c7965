package sqlservice

import (
	"context"

	"example.com/commitpoint/conformance"
)

// StudySystem returns the service as a system that has the study's events. Workers write
// their candidates in place, to out/a, where they are verified; the contract requires one
// criterion. The system has connections of its own, and is closed by its Close method.
func StudySystem(ctx context.Context, source string, v Variant) (conformance.System, error) {
	stage, err := newStage(ctx, source, v)
	if err != nil {
		return nil, err
	}
	s := &studySystem{stage: stage}
	s.criteria = []string{"tests"}
	s.start = func(first Attempt) { s.knowledge = knowledge{attempt: first, inputs: 1} }
	s.events = s.table()
	return s, nil
}

// working is the path of the working artifact.
const working = "out/a"

type studySystem struct {
	*stage
	knowledge
}

// A knowledge is what worker A and the other writers know within one schedule.
type knowledge struct {
	attempt   Attempt // A's, from the start
	reading   Reading
	candidate Candidate
	evidence  string           // the receipt that A will cite
	alter     func(q *Request) // what is wrong with A's request, if something is
	sent      *Request
	inputs    int64 // revisions of the input
	edits     int
}

func (s *studySystem) About() conformance.About {
	return conformance.About{Name: s.name("study"), Events: s.names(), Parallel: true}
}

// Recorded leaves out how often targets were published, since candidates are written in
// place.
func (s *studySystem) Recorded(ctx context.Context) (conformance.Record, error) {
	r, err := s.stage.Recorded(ctx)
	r.Published = nil
	return r, err
}

func (s *studySystem) table() []event {
	return []event{
		{name: "read", apply: s.read},
		{name: "candidate", apply: func(ctx context.Context) error { return s.write(ctx, answer(s.reading)) }},
		{name: "trusted-verify", apply: s.verify},
		{name: "preflight", apply: s.preflight},
		{name: "commit", submit: s.commit},
		{name: "input-edit", apply: s.editInput},
		{name: "artifact-edit", apply: s.editArtifact},
		{name: "lease-expire", apply: s.expire},
		{name: "reassign", apply: s.reassign},
		{name: "revoke", apply: func(ctx context.Context) error {
			return s.service.Revoke(ctx, s.project, workerA, everything...)
		}},
		{name: "publish-behavior-v2", apply: func(ctx context.Context) error {
			return s.service.PublishPolicy(ctx, s.project, "behavior-v2")
		}},
		{name: "retry", submit: func(ctx context.Context) (Decision, error) { return s.complete(ctx, s.again()) }},
		{name: "retry-other", submit: s.retryOther},
		{name: "forged-receipt", apply: s.altering(func(q *Request) { q.Evidence = []string{"a receipt of my own"} })},
		{name: "other-candidate", apply: s.verifyOther},
		{name: "other-digest", apply: s.falsify},
		{name: "other-task", apply: s.otherTask},
		{name: "other-contract", apply: s.altering(func(q *Request) { q.Contract = s.contract(2).Digest() })},
		{name: "checker-rejected", apply: s.wrongAnswer},
		{name: "inadequate-checker", apply: func(ctx context.Context) error {
			if err := s.service.ReplaceChecker(ctx, s.project, "tests", "integer"); err != nil {
				return err
			}
			return s.wrongAnswer(ctx)
		}},
	}
}

// request returns what A would submit now.
func (s *studySystem) request() Request {
	q := Request{ID: "request of a", Attempt: s.attempt, Contract: s.reading.Contract, Candidate: s.candidate.Digest(), Evidence: []string{s.evidence}}
	if s.alter != nil {
		s.alter(&q)
	}
	return q
}

// again returns what A has submitted.
func (s *studySystem) again() Request {
	if s.sent == nil {
		return s.request()
	}
	return *s.sent
}

func (s *studySystem) complete(ctx context.Context, q Request) (Decision, error) {
	return s.service.Complete(ctx, workerA, q)
}

func (s *studySystem) commit(ctx context.Context) (Decision, error) {
	q := s.request()
	s.sent = &q
	return s.complete(ctx, q)
}

func (s *studySystem) preflight(ctx context.Context) error {
	_, err := s.service.Preflight(ctx, workerA, s.request())
	return err
}

func (s *studySystem) retryOther(ctx context.Context) (Decision, error) {
	other, err := s.service.Amend(ctx, s.project, s.candidate, []byte(answer(s.reading)+" unverified\n"))
	if err != nil {
		return Decision{}, err
	}
	q := s.again()
	q.Candidate = other.Digest()
	return s.complete(ctx, q)
}

func (s *studySystem) read(ctx context.Context) (err error) {
	s.reading, err = s.service.Read(ctx, s.task())
	return err
}

// write puts an output in place, over whatever is there, and declares it as the candidate.
func (s *studySystem) write(ctx context.Context, output string) (err error) {
	if err := s.service.Publish(ctx, s.project, workerA, working, []byte(output)); err != nil {
		return err
	}
	s.candidate, err = s.service.Prepare(ctx, s.project, Draft{
		Bytes: []byte(output), Paths: []string{working}, Inputs: s.reading.Inputs, Members: s.reading.Members,
	})
	return err
}

func (s *studySystem) verify(ctx context.Context) (err error) {
	s.evidence, err = s.service.Verify(ctx, Check{Attempt: s.attempt, Candidate: s.candidate.Digest(), Criterion: "tests", Working: true})
	return err
}

func (s *studySystem) editInput(ctx context.Context) error {
	s.inputs++
	return s.service.EditInput(ctx, s.project, inputValue(s.inputs))
}

func (s *studySystem) reassign(ctx context.Context) error {
	_, err := s.service.Claim(ctx, s.task(), workerB)
	return err
}
