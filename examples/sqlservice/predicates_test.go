package sqlservice

import (
	"slices"
	"strings"
	"testing"

	model "example.com/commitpoint/model/contract"
)

func TestPredicatesAreThoseOfTheContract(t *testing.T) {
	var names []string
	for _, p := range predicates {
		names = append(names, p.name)
	}
	if want := model.All.Names(); !slices.Equal(names, want) {
		t.Errorf("the predicates are %v, want %v", names, want)
	}
}

// For each predicate a history in which it refuses a request, on both databases, and one
// close by in which nothing does.
func TestEachPredicateRefuses(t *testing.T) {
	const verified = "a:read a:candidate a:verify "
	tests := []struct{ refusal, reason, events string }{
		{"", "everything holds", verified + "a:commit"},
		{"active", "the task was cancelled", verified + "cancel a:commit"},
		{"active", "the task has failed", verified + "a:report-failure a:commit"},
		{"active", "another request completed the task", verified + "b:claim b:read b:candidate b:verify b:commit a:commit"},
		{"caller", "the task is b's", verified + "b:claim a:commit"},
		{"caller", "b says that it is a", verified + "a:impersonate"},
		{"attempt", "another process of a's has claimed it", verified + "restart-fences reclaim a:commit"},
		{"", "a new attempt that b was told of", "b:claim b:read b:candidate restage b:verify b:commit"},
		{"fence", "the same ids were issued again", verified + "restart-attempts reclaim a:commit"},
		{"fence", "the first try of a new stage was too", "restage b:read b:candidate b:verify restart-attempts reclaim b:commit"},
		{"incarnation", "the authority came back from a backup", verified + "restore a:commit"},
		{"incarnation", "and issued ids and fence again", verified + "restore reclaim a:commit"},
		{"lease", "it ran out", verified + "lease-expire a:commit"},
		{"", "it was renewed in time", verified + "renew lease-expire a:commit"},
		{"lease", "it was renewed too late", verified + "lease-expire renew a:commit"},
		{"scope", "the path leaves the directory", "a:read a:candidate-unclean a:verify a:commit"},
		{"scope", "the alias leads out of it", "a:read a:candidate-alias a:verify alias-move a:commit"},
		{"", "the path is spelled in another way", "a:read a:candidate-case a:verify a:commit"},
		{"grant", "it was revoked", verified + "revoke a:commit"},
		{"grant", "that for the second target was", "a:read a:candidate-pair a:verify revoke-second a:commit"},
		{"", "that for another target was", verified + "revoke-second a:commit"},
		{"", "it was granted again", verified + "revoke regrant a:commit"},
		{"contract", "the task has migrated", verified + "migrate a:commit"},
		{"dependencies", "the input was edited", verified + "input-edit a:commit"},
		{"dependencies", "the directory has another file", verified + "file-add a:commit"},
		{"bases", "the target was published", verified + "foreign-publish a:commit"},
		{"bases", "one of two was", "a:read a:candidate-pair a:verify foreign-publish a:commit"},
		{"", "the candidate was made after that", "a:read foreign-publish a:candidate a:verify a:commit"},
		{"binding", "the receipts are about other bytes", verified + "a:replace a:commit"},
		{"binding", "they are about another contract", verified + "migrate a:refresh a:commit"},
		{"binding", "they are about another attempt", verified + "a:claim a:commit"},
		{"criteria", "nobody has looked", "a:read a:candidate a:commit"},
		{"criteria", "one criterion is missing", "a:read a:candidate a:verify-tests a:commit"},
		{"criteria", "the checker was withdrawn", verified + "withdraw-checker a:commit"},
		{"", "its successor has looked", verified + "withdraw-checker a:verify-review a:commit"},
		{"identity", "the id belongs to another candidate", verified + "a:commit a:retry-other"},
		{"identity", "or to another caller", verified + "a:commit a:impersonate"},
		{"", "the same request again", verified + "a:commit revoke lease-expire b:claim a:retry"},
	}
	onEach(t, func(t *testing.T, source string) {
		system := open(t, ContractSystem, source, right)
		seen := map[string]bool{}
		for _, tt := range tests {
			got := run(t, system, strings.Fields(tt.events))
			if got.Accepted != (tt.refusal == "") || got.Refusal != tt.refusal {
				t.Errorf("%s: decided %+v, want refusal %q: %s", tt.events, got, tt.refusal, tt.reason)
			}
			seen[got.Refusal] = true
		}
		for _, p := range predicates {
			if !seen[p.name] {
				t.Errorf("%s has refused nothing", p.name)
			}
		}
	})
}
