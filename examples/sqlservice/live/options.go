package live

import (
	"errors"
	"time"

	service "sqlservice.example"
)

// Options are those of a run. The zero Options, with a Source, are 1,000 operations on the
// right service, and nothing goes wrong.
type Options struct {
	Source     string // as for the service's Open; not ":memory:"
	Variant    service.Variant
	Operations int    // how many are recorded, at least; 0 is 1,000
	Seed       uint64 // of what clients choose; when things happen is up to chance

	// Kill is how many operations there are to one of the service's connections that
	// PostgreSQL is told to end, whichever it is. 0 ends none.
	Kill int

	// Cut is how many completions there are to one whose COMMIT is lost on its way to
	// PostgreSQL, with the connection, and to one whose answer is on its way back: of those
	// that one worker in five asks for. 0 loses none.
	Cut int

	// Cancel is how many operations there are to one whose context ends within Patience.
	// 0 ends none.
	Cancel   int
	Patience time.Duration
}

// Of a run's size.
const (
	workers = 8
	tasks   = 5  // at a time
	length  = 48 // how many operations a task may have
	pools   = 5  // of connections, each as of a process of its own
)

func (o Options) validate() error {
	switch {
	case o.Source == "" || o.Source == ":memory:":
		return errors.New("options: Source has to name a database that several can connect to")
	case !isPostgres(o.Source) && (o.Kill > 0 || o.Cut > 0):
		return errors.New("options: Kill and Cut need PostgreSQL: SQLite has no connections to end")
	case o.Cancel > 0 && o.Patience <= 0:
		return errors.New("options: Cancel needs a Patience")
	}
	return nil
}

// Counts are what happened in a run.
type Counts struct {
	Tasks          int
	Operations     int            // recorded
	Answers        map[string]int // accepted, replayed, unknown and each refusal, of commits and retries
	Killed         int            // connections, by PostgreSQL
	KilledBusy     int            // of these, with a transaction under way
	Cut            int            // connections, with a commit or what became of it
	Struck         int            // operations that failed for one of these reasons, or their context's
	Unknown        int            // operations whose outcome was unknown
	UnknownCommits int            // of these, requests
	Happened       int            // of these, commits, as a retry has found
	NotHappened    int
	Audits         int
}

// A Report is what came of a run.
type Report struct {
	Counts
	Histories []History
	Faults    []string // what audits found
	Took      time.Duration
}
