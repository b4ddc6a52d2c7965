package sqlservice

import (
	"strconv"
	"strings"
)

// A receipt is what the protected store keeps of a verification.
type receipt struct {
	id       string
	attempt  Attempt // whose candidate was verified
	contract string  // the task's pinned contract then
	content  string  // digest of the bytes that the checker saw
	inputs   int64   // declared by the candidate
	members  int64

	criterion string
	version   int64 // of the checker
	passed    bool
}

// observe stores a receipt under a new id. The caller holds the task's row.
func (tx *tx) observe(r receipt) (id string) {
	var seq int64
	tx.row(`SELECT COUNT(*) + 1 FROM receipts WHERE task = $1`, []any{r.attempt.Task}, &seq)
	id = r.attempt.Task + " observation " + strconv.FormatInt(seq, 10)
	tx.exec(`INSERT INTO receipts (id, task, seq, outer_id, inner_id, fence, incarnation, principal,
			contract, content, inputs, members, criterion, version, passed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		id, r.attempt.Task, seq, r.attempt.Outer, r.attempt.Inner, r.attempt.Fence, r.attempt.Incarnation, r.attempt.Principal,
		r.contract, r.content, r.inputs, r.members, r.criterion, r.version, r.passed)
	return id
}

const selectReceipts = `SELECT id, task, outer_id, inner_id, fence, incarnation, principal,
	contract, content, inputs, members, criterion, version, passed FROM receipts `

// receipts returns the receipts that a query finds, by criterion: of several for one
// criterion, the last.
func (tx *tx) receipts(where string, args ...any) map[string]receipt {
	found := map[string]receipt{}
	tx.rows(selectReceipts+where, args, func(scan func(...any) error) error {
		var r receipt
		err := scan(&r.id, &r.attempt.Task, &r.attempt.Outer, &r.attempt.Inner, &r.attempt.Fence, &r.attempt.Incarnation, &r.attempt.Principal,
			&r.contract, &r.content, &r.inputs, &r.members, &r.criterion, &r.version, &r.passed)
		found[r.criterion] = r
		return err
	})
	return found
}

// supporting returns the receipts that count for a request, by criterion: those that it
// cites or, if it cites none, the last ones about its attempt's principal. That they are
// about this very request is for the predicate to say.
func (tx *tx) supporting(q Request, v Variant) map[string]receipt {
	if v.anyReceipt {
		return tx.receipts(`WHERE task = $1 AND passed ORDER BY seq`, q.Attempt.Task)
	}
	if len(q.Evidence) == 0 {
		return tx.receipts(`WHERE task = $1 AND principal = $2 ORDER BY seq`, q.Attempt.Task, q.Attempt.Principal)
	}
	cited := map[string]receipt{}
	for _, id := range q.Evidence {
		for criterion, r := range tx.receipts(`WHERE id = $1`, id) {
			cited[criterion] = r
		}
	}
	return cited
}

// admitted returns the admitted checker versions of a project, by criterion.
func (tx *tx) admitted(project string) map[string]int64 {
	versions := map[string]int64{}
	tx.rows(`SELECT criterion, version FROM checkers WHERE project = $1`, []any{project}, func(scan func(...any) error) error {
		var criterion string
		var version int64
		err := scan(&criterion, &version)
		versions[criterion] = version
		return err
	})
	return versions
}

// programs are what checkers run: whether the output is right for an input. The first
// word of the output is the answer; the rest is the worker's affair.
var programs = map[string]func(input string, output []byte) bool{
	"doubles": func(input string, output []byte) bool {
		n, err := strconv.Atoi(input)
		answer, integer := answerOf(output)
		return err == nil && integer && answer == 2*n
	},
	// An inadequate one.
	"integer": func(_ string, output []byte) bool {
		_, integer := answerOf(output)
		return integer
	},
}

func answerOf(output []byte) (answer int, ok bool) {
	words := strings.Fields(string(output))
	if len(words) == 0 {
		return 0, false
	}
	answer, err := strconv.Atoi(words[0])
	return answer, err == nil
}
