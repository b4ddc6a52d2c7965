package sqlservice

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"
)

// A Service completes tasks. Its methods can be called by several goroutines, and several
// services, in several processes, can use one database.
//
// Methods that change a task do so in one transaction that holds the task's row; those
// that change what a project's tasks share hold the project's. Tasks of different
// projects never wait for each other.
type Service struct {
	db      *DB
	now     func() time.Time
	lease   time.Duration
	variant Variant

	mu     sync.Mutex
	looked map[string]look // what Preflight found, by the bound request; for the variant that trusts it
}

// Options are a service's. The zero Options are the right service, on the wall clock.
type Options struct {
	// Variant is what the service does wrong, if anything: see Variants.
	Variant Variant

	// Now is the authority's clock, which must not go backward. Nil is time.Now.
	Now func() time.Time

	// Lease is how long a lease lasts. 0 is a minute.
	Lease time.Duration
}

// New returns a service on db.
func New(db *DB, o Options) *Service {
	s := &Service{db: db, now: o.Now, lease: o.Lease, variant: o.Variant, looked: map[string]look{}}
	if s.now == nil {
		s.now = time.Now
	}
	if s.lease == 0 {
		s.lease = time.Minute
	}
	return s
}

// An Attempt is what somebody is told to whom a task is assigned. Outer is a stage of the
// task and Inner a try at it. Everything but Task and Principal comes from the task's
// authority: the fence grows with every assignment, as long as the authority remembers
// it, and the incarnation with every restore of the authority from a backup.
type Attempt struct {
	Task        string `json:"task"`
	Principal   string `json:"principal"`
	Outer       int64  `json:"outer"`
	Inner       int64  `json:"inner"`
	Fence       int64  `json:"fence"`
	Incarnation int64  `json:"incarnation"`
}

// A Contract is what a task is pinned to: what has to be met, and what may be written.
// Its digest covers all of it.
type Contract struct {
	Task     string   `json:"task"`
	Policy   string   `json:"policy"`
	Criteria []string `json:"criteria"`
	Scope    string   `json:"scope"` // a directory
}

// Digest returns what requests name the contract by.
func (c Contract) Digest() string { return digestOf(c) }

// A Candidate is output as it was prepared. Its digest covers all of it, so that a request
// that names the digest names content, declared paths, declared versions and bases.
type Candidate struct {
	Content string           `json:"content"` // digest of the bytes
	Paths   []string         `json:"paths"`   // as declared, unclean
	Inputs  int64            `json:"inputs"`
	Members int64            `json:"members"`
	Bases   map[string]int64 `json:"bases"` // the revision of each path that it wrote when it was prepared
}

// Digest returns what requests name the candidate by.
func (c Candidate) Digest() string { return digestOf(c) }

// A Request asks for a completion to be recorded. Who is calling is not in it, since
// anybody can write any name there: it is what the transport says.
type Request struct {
	ID        string  `json:"id"` // the caller's; it means one request of one task forever
	Attempt   Attempt `json:"attempt"`
	Contract  string  `json:"contract"`  // by its digest
	Candidate string  `json:"candidate"` // by its digest

	// Evidence cites receipts. If it is empty, the last ones that the service has about
	// the attempt's principal count.
	Evidence []string `json:"evidence,omitempty"`
}

// bound returns the digest of all that a request is, its caller included: when it comes
// again, it is the same if this is.
func (r Request) bound(caller string) string {
	return digestOf(struct {
		Caller  string  `json:"caller"`
		Request Request `json:"request"`
	}{caller, r})
}

// A Decision is the answer to a request.
type Decision struct {
	Accepted bool

	// Replayed says that the request had completed the task before: nothing was written.
	Replayed bool

	// Receipt is the digest of the completion's record, if the request was accepted.
	Receipt string

	// Refusal is the name of the first predicate that failed or, if the id belongs to
	// another request, "identity".
	Refusal string
}

// digest returns the SHA-256 of bytes, in hexadecimal.
func digest(bytes []byte) string {
	sum := sha256.Sum256(bytes)
	return hex.EncodeToString(sum[:])
}

// digestOf returns the digest of a document's JSON. Fields come in the order of their
// declaration and maps by their keys, so that equal documents have one digest.
func digestOf(document any) string { return digest(encode(document)) }

func encode(document any) []byte {
	text, err := json.Marshal(document)
	if err != nil {
		panic(err) // the service's documents are strings and numbers
	}
	return text
}
