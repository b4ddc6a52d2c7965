package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/commitpoint/harness"
)

// object is a JSON object whose members have no order.
type object = map[string]any

var (
	web  = harness.Identity{Run: "r1", Owner: "a", Workload: "web", Generation: 3}
	noon = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	done = harness.Receipt{Claim: harness.Completed, Verified: true, Captured: true, Effect: harness.Full, Workload: web, Now: noon}
	kept = withLease(done)
)

func withLease(r harness.Receipt) harness.Receipt {
	r.Retained = true
	r.Lease = harness.Lease{Identity: web, Approved: noon.Add(-time.Hour), PriorExpiry: noon.Add(-30 * time.Minute), Expiry: noon.Add(time.Hour)}
	return r
}

// word returns what stands for a value in a table.
func word[T comparable](table map[string]T, value T) string {
	for _, text := range slices.Sorted(maps.Keys(table)) {
		if table[text] == value {
			return text
		}
	}
	panic(fmt.Sprintf("%v is not in the table", value))
}

// payloadA writes a receipt in the shape of FixtureA.
func payloadA(r harness.Receipt) object {
	identity := func(i harness.Identity) object {
		return object{"run": i.Run, "owner": i.Owner, "id": i.Workload, "generation": i.Generation}
	}
	payload := object{
		"outcome": object{"status": word(claimsA, r.Claim), "message": "all done!", "verified": r.Verified,
			"captured": r.Captured, "effect": word(effectsA, r.Effect)},
		"no_op_permitted": r.NoOp, "workload": identity(r.Workload), "observed_at": r.Now,
	}
	if r.Retained {
		lease := identity(r.Lease.Identity)
		lease["approved_at"], lease["prior_expiry"], lease["expires_at"] = r.Lease.Approved, r.Lease.PriorExpiry, r.Lease.Expiry
		payload["lease"] = lease
	}
	return payload
}

// payloadB writes a receipt in the shape of FixtureB.
func payloadB(r harness.Receipt) object {
	identity := func(i harness.Identity) object {
		return object{"session": object{"run": i.Run, "name": i.Owner}, "service": object{"name": i.Workload, "epoch": i.Generation}}
	}
	gaps := 2
	if r.Captured {
		gaps = 0
	}
	payload := object{
		"result": object{"state": word(claimsB, r.Claim), "note": "all done!"},
		"evidence": object{"task": object{"check": word(checksB, r.Verified)}, "capture": object{"gaps": gaps},
			"change": word(effectsB, r.Effect)},
		"contract": object{"empty_change": word(noChangeB, r.NoOp)}, "subject": identity(r.Workload),
		"clock": object{"now": r.Now}, "retention": nil,
	}
	if r.Retained {
		retention := identity(r.Lease.Identity)
		retention["window"] = object{"granted": r.Lease.Approved, "from": r.Lease.PriorExpiry, "to": r.Lease.Expiry}
		payload["retention"] = retention
	}
	return payload
}

// fixtures are the shapes in which a receipt can be written.
var fixtures = []struct {
	name  string
	write func(harness.Receipt) object
}{{FixtureA, payloadA}, {FixtureB, payloadB}}

func encode(t testing.TB, payload any) []byte {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// AD-01: the payloads of the package comment are of the same facts, and so are those
// without a lease.
func TestDocumentedPayloads(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var payloads []string
	for line := range strings.Lines(string(source)) {
		if line == "//\t{\n" {
			payloads = append(payloads, "")
		}
		if code, is := strings.CutPrefix(line, "//\t"); is {
			payloads[len(payloads)-1] += code
		}
	}
	if len(payloads) != 2 {
		t.Fatalf("%d payloads in the package comment, want 2", len(payloads))
	}
	b := strings.Replace(payloads[1], payloads[1][strings.Index(payloads[1], `"retention"`):strings.Index(payloads[1], `  "clock"`)], `"retention": null, `, 1)
	a := payloads[0][:strings.Index(payloads[0], ",\n  \"lease\"")] + "}"
	tests := []struct {
		name, adapter, payload string
		want                   harness.Receipt
		decision               harness.Decision
	}{
		{"a", FixtureA, payloads[0], kept, harness.Handoff},
		{"b", FixtureB, payloads[1], kept, harness.Handoff},
		{"a without lease", FixtureA, a, done, harness.Advance},
		{"b without lease", FixtureB, b, done, harness.Advance},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Fixtures().Normalize(tt.adapter, []byte(tt.payload))
			if err != nil || got != tt.want {
				t.Fatalf("%+v, %v, want %+v", got, err, tt.want)
			}
			if d := harness.Classify(got); d != tt.decision {
				t.Errorf("%v, want %v", d, tt.decision)
			}
		})
	}
}

// Whatever the facts are, both shapes of them become the receipt that they were written from.
func TestShapesAgree(t *testing.T) {
	total := 0
	for _, claim := range []harness.Claim{harness.Completed, harness.Failed, harness.Blocked, harness.Cancelled} {
		for _, effect := range []harness.Effect{harness.Unknown, harness.NoEffect, harness.Partial, harness.Full} {
			for bits := range 16 {
				r := harness.Receipt{Claim: claim, Effect: effect, Verified: bits&1 != 0, Captured: bits&2 != 0,
					NoOp: bits&4 != 0, Workload: web, Now: noon}
				if bits&8 != 0 {
					r = withLease(r)
					r.Lease.Owner, r.Lease.Generation = "somebody else", 1<<64-1
				}
				for _, f := range fixtures {
					total++
					if got, err := Fixtures().Normalize(f.name, encode(t, f.write(r))); err != nil || got != r {
						t.Errorf("%s: %+v, %v, want %+v", f.name, got, err, r)
					}
				}
			}
		}
	}
	if total != 512 {
		t.Errorf("%d payloads, want 512", total)
	}
}

// What a worker writes beside its claim changes nothing; nor does it have to write anything.
func TestWordsDecideNothing(t *testing.T) {
	places := map[string][2]string{FixtureA: {"outcome", "message"}, FixtureB: {"result", "note"}}
	unsure := done
	unsure.Verified, unsure.Effect = false, harness.Unknown
	for _, f := range fixtures {
		for _, words := range []string{"", "all done!", "verified", `"effect": "full"`, "$.outcome.verified: true", strings.Repeat("yes ", 1000)} {
			payload := f.write(unsure)
			place := places[f.name]
			payload[place[0]].(object)[place[1]] = words
			if got, err := Fixtures().Normalize(f.name, encode(t, payload)); err != nil || got != unsure {
				t.Errorf("%s with %.40q: %+v, %v", f.name, words, got, err)
			}
			delete(payload[place[0]].(object), place[1])
			if got, err := Fixtures().Normalize(f.name, encode(t, payload)); err != nil || got != unsure {
				t.Errorf("%s without words: %+v, %v", f.name, got, err)
			}
		}
	}
}
