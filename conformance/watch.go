package conformance

import (
	"context"
	"fmt"
	"time"
)

// watch looks after drivers until ctx ends: it ends the context of one whose call takes
// longer than limit, and sends it to hung. It looks now and then, so that a call costs a
// driver two additions and no timer; what it grants is up to an eighth more than limit.
func watch(ctx context.Context, drivers []*driver, limit time.Duration, hung chan<- *driver) {
	type seen struct {
		calls    uint64
		since    time.Time
		reported bool
	}
	last := make([]seen, len(drivers))
	ticker := time.NewTicker(max(limit/8, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			for i, d := range drivers {
				if last[i].reported {
					continue
				}
				switch n := d.calls.Load(); {
				case n%2 == 0 || n != last[i].calls:
					last[i] = seen{calls: n, since: now}
				case now.Sub(last[i].since) >= limit:
					d.cancel(errHung(limit))
					select {
					case hung <- d:
					case <-ctx.Done():
						return
					}
					last[i].reported = true
				}
			}
		}
	}
}

func errHung(limit time.Duration) error {
	return fmt.Errorf("does not answer within the step's time limit of %v", limit)
}
