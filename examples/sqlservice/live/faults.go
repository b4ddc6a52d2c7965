package live

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// faults says what in a snapshot does not agree, or not with the receipts that clients
// were given: it is empty if nothing accepted is lost or written twice.
func (s snapshot) faults(given map[string]bool) (list []string) {
	expect := func(is bool, format string, args ...any) {
		if !is {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	once := 0
	if s.status == "completed" {
		once = 1
	}
	expect(s.status != "", "there is no such task")
	expect(len(s.requests) == once, "the task is %s, with %d requests recorded", s.status, len(s.requests))
	expect(len(s.audit) == once, "the task is %s, with %d completions in the audit trail", s.status, len(s.audit))
	recorded := map[string]bool{}
	for i, r := range s.requests {
		sum := sha256.Sum256([]byte(r.document))
		expect(r.receipt == hex.EncodeToString(sum[:]), "the receipt of %q is not its document's digest", r.request)
		recorded[r.receipt] = true
		if i < len(s.audit) {
			a := s.audit[i]
			expect(a.request == r.request && a.receipt == r.receipt, "the audit trail has another completion than the one of %q", r.request)
		}
	}
	for receipt := range given {
		expect(recorded[receipt], "a client was given the receipt %.8s, which is not recorded", receipt)
	}
	return append(append(list, s.unpublished()...), s.torn()...)
}

// unpublished says what is not as the recorded completion has it published, each of its
// candidate's targets once and nothing else.
func (s snapshot) unpublished() (list []string) {
	due := map[string]int64{}
	for path, revision := range s.published {
		due[path] = revision
		if base, ok := s.candidate.Bases[path]; !ok || revision != base+1 {
			list = append(list, fmt.Sprintf("%s was published as revision %d, on revision %d", path, revision, base))
		}
	}
	if len(due) != len(s.candidate.Bases) {
		list = append(list, fmt.Sprintf("of %d targets %d were published", len(s.candidate.Bases), len(due)))
	}
	for _, v := range s.versions {
		switch mine := due[v.path] == v.revision; {
		case v.writer != "a" && v.writer != "b":
		case !mine:
			list = append(list, fmt.Sprintf("%s revision %d is by worker %s, and not recorded", v.path, v.revision, v.writer))
		case v.content != s.candidate.Content || len(s.audit) > 0 && v.writer != s.audit[0].caller:
			list = append(list, fmt.Sprintf("%s revision %d is not the candidate, or not by who completed the task", v.path, v.revision))
		default:
			delete(due, v.path)
		}
	}
	for path, revision := range due {
		list = append(list, fmt.Sprintf("%s revision %d is recorded, and was not published", path, revision))
	}
	return list
}

// torn says which pointer is not to the last version of its path, or which version is
// missing before that.
func (s snapshot) torn() (list []string) {
	last := map[string]version{}
	for _, v := range s.versions {
		if v.revision != last[v.path].revision+1 {
			list = append(list, fmt.Sprintf("%s has a revision %d after %d", v.path, v.revision, last[v.path].revision))
		}
		last[v.path] = v
	}
	for _, p := range s.pointers {
		if v := last[p.path]; p.revision != v.revision || p.content != v.content {
			list = append(list, fmt.Sprintf("%s points to revision %d, and the last one is %d", p.path, p.revision, v.revision))
		}
	}
	return list
}
