package ownership

import (
	"strings"
	"testing"
)

// marks are what is decided, behind the text of an event.
var marks = map[string]Decision{"-": Refuse, "+": Remove, "*": RemoveRun, "?": SayUnknown, "!": SayRemoved}

// step reads an event with its decision, as in first:remove+, and takes it.
func step(t *testing.T, s State, text string) State {
	t.Helper()
	d := NoDecision
	if last := text[len(text)-1:]; marks[last] != NoDecision {
		d, text = marks[last], text[:len(text)-1]
	}
	return Next(s, parse(t, text), d)
}

func after(t *testing.T, history string) State {
	t.Helper()
	s := Initial()
	for text := range strings.FieldsSeq(history) {
		s = step(t, s, text)
	}
	return s
}

// Each event changes what it says, and nothing else.
func TestNext(t *testing.T) {
	for _, tt := range []struct {
		before, event, why string
		change             func(*State)
	}{
		{"", "a:advance", "the next generation takes the place of the one before", func(s *State) { s.Slot, s.Latest = A2, A2 }},
		{"a:exit", "a:advance", "A starts again in the free slot", func(s *State) { s.Slot, s.Latest = A2, A2 }},
		{"a:exit b:reuse", "a:advance", "the slot is not free", func(*State) {}},
		{"a:exit other:reuse", "a:advance", "the slot is not free, for another run", func(*State) {}},
		{"", "a:exit", "A's workload ends", func(s *State) { s.Slot = Nothing }},
		{"a:advance", "a:exit", "whichever generation it is", func(s *State) { s.Slot = Nothing }},
		{"a:exit b:reuse", "a:exit", "what is in the slot is not A's", func(*State) {}},
		{"a:exit other:reuse", "a:exit", "nor is another run's, whose session is called A too", func(*State) {}},
		{"", "b:reuse", "a second bind is refused", func(*State) {}},
		{"a:exit", "b:reuse", "the slot is free", func(s *State) { s.Slot = B2 }},
		{"", "other:reuse", "a second bind is refused, to another run too", func(*State) {}},
		{"a:exit", "other:reuse", "the slot is free", func(s *State) { s.Slot = Other1 }},
		{"a:exit b:reuse", "other:reuse", "the slot is B's now", func(*State) {}},

		{"", "approve", "for the generation that there is, in time", func(s *State) { s.Lease.For = A1 }},
		{"a:advance", "approve", "for the next generation", func(s *State) { s.Lease.For = A2 }},
		{"a:exit", "approve", "for the latest, whether it runs or not", func(s *State) { s.Lease.For = A1 }},
		{"prior-expiry", "approve", "late", func(s *State) { s.Lease.For, s.Lease.Late = A1, true }},
		{"", "prior-expiry", "", func(s *State) { s.Lease.PriorOver = true }},
		{"approve", "prior-expiry", "what was approved in time stays so", func(s *State) { s.Lease.PriorOver = true }},
		{"approve renew prior-expiry", "final-expiry", "that it was renewed is remembered beside it", func(s *State) { s.Lease.FinalOver = true }},
		{"approve prior-expiry", "final-expiry", "", func(s *State) { s.Lease.FinalOver = true }},
		{"approve", "renew", "in time", func(s *State) { s.Lease.Renewed = InTime }},
		{"approve prior-expiry", "renew", "in time for the expiry that was approved", func(s *State) { s.Lease.Renewed = InTime }},
		{"approve prior-expiry final-expiry", "renew", "too late", func(s *State) { s.Lease.Renewed = TooLate }},

		{"", "first:ask", "for A's latest", func(s *State) { s.Requests[0].Asked = A1 }},
		{"a:advance", "retry:ask", "for A's latest, of the retry", func(s *State) { s.Requests[1].Asked = A2 }},
		{"a:exit b:reuse", "first:ask", "for A's latest, whoever is in the slot", func(s *State) { s.Requests[0].Asked = A1 }},
		{"first:ask a:exit b:reuse", "first:look", "who is in the slot", func(s *State) { s.Requests[0].Seen = B2 }},
		{"first:ask first:look", "first:remove-", "a refusal changes nothing else", func(s *State) { s.Requests[0].Decided = Refuse }},
		{"first:ask first:look", "first:remove+", "what is in the slot goes",
			func(s *State) { s.Requests[0].Decided, s.Requests[0].Removed, s.Slot = Remove, A1, Nothing }},
		{"first:ask first:look a:exit other:reuse", "first:remove+", "what is in the slot now, not what was seen",
			func(s *State) { s.Requests[0].Decided, s.Requests[0].Removed, s.Slot = Remove, Other1, Nothing }},
		{"first:ask first:look a:exit", "first:remove+", "nothing is there",
			func(s *State) { s.Requests[0].Decided = Remove }},
		{"first:ask first:look", "first:remove*", "B goes too",
			func(s *State) {
				s.Requests[0].Decided, s.Requests[0].Removed, s.Slot, s.B = RemoveRun, A1, Nothing, Nothing
			}},
		{"first:ask first:look a:exit other:reuse", "first:remove*", "another run's stays",
			func(s *State) { s.Requests[0].Decided, s.B = RemoveRun, Nothing }},
		{"first:ask first:look a:exit b:reuse", "first:remove*", "both of B's go",
			func(s *State) {
				s.Requests[0].Decided, s.Requests[0].Removed, s.Slot, s.B = RemoveRun, B2, Nothing, Nothing
			}},
		{"first:ask first:look first:remove+", "first:acked", "", func(s *State) { s.Requests[0].Answered = true }},
		{"first:ask first:look first:remove+", "first:report!", "", func(s *State) { s.Requests[0].Said = SayRemoved }},
		{"first:ask first:look first:remove+", "first:report?", "", func(s *State) { s.Requests[0].Said = SayUnknown }},

		{"first:ask first:look first:remove+", "first:list", "what was asked for is gone", func(s *State) { s.Requests[0].Listed = Absent }},
		{"first:ask first:look first:remove-", "first:list", "it is still there", func(s *State) { s.Requests[0].Listed = Present }},
		{"first:ask a:advance first:look first:remove-", "first:list", "another generation is not it", func(s *State) { s.Requests[0].Listed = Absent }},
		{"inventory-down first:ask first:look first:remove+", "first:list", "it fails", func(s *State) { s.Requests[0].Listed = Failed }},
		{"inventory-down inventory-up first:ask first:look first:remove+", "first:list", "it works again", func(s *State) { s.Requests[0].Listed = Absent }},
		{"", "inventory-down", "", func(s *State) { s.Down = true }},
		{"inventory-down", "inventory-up", "", func(s *State) { s.Down = false }},
		{"", "end", "nothing", func(*State) {}},
	} {
		t.Run(tt.before+" then "+tt.event, func(t *testing.T) {
			before := after(t, tt.before)
			want := before
			tt.change(&want)
			if got := step(t, before, tt.event); got != want {
				t.Errorf("\n%+v\nwant\n%+v: %s", got, want, tt.why)
			}
		})
	}
}

func fields(s State) (names, values []string) {
	for name, value := range s.Fields() {
		names, values = append(names, name), append(values, value)
	}
	return names, values
}

func TestFields(t *testing.T) {
	const wantNames = "slot|A's latest|B's slot|prior lease|lease|inventory" +
		"|first asked for|first saw|first cleanup|first answer|first inventory|first report" +
		"|retry asked for|retry saw|retry cleanup|retry answer|retry inventory|retry report"
	for _, tt := range []struct{ name, history, want string }{
		{"the initial state", "",
			"A's generation 1|A's generation 1|B's generation 1|running|not approved|up" +
				"|nothing|nothing|pending|none|none|none|nothing|nothing|pending|none|none|none"},
		{"a removal and a late lease", "prior-expiry approve final-expiry renew first:ask first:look first:remove+ first:acked first:list first:report! a:advance",
			"A's generation 2|A's generation 2|B's generation 1|over|for A's generation 1, approved late, renewed too late, past its expiry|up" +
				"|A's generation 1|A's generation 1|removed A's generation 1|arrived|absent|reported removed|nothing|nothing|pending|none|none|none"},
		{"a sweep and a refusal", "approve renew first:ask first:look retry:ask a:exit retry:look retry:remove- inventory-down retry:list retry:report? first:remove*",
			"nothing|A's generation 1|nothing|running|for A's generation 1, renewed in time|down" +
				"|A's generation 1|A's generation 1|removed nothing and all else of the run|none|none|none|A's generation 1|nothing|refused|none|failed|reported unknown"},
		{"still listed", "a:exit other:reuse first:ask first:look first:remove- a:exit",
			"another run's workload|A's generation 1|B's generation 1|running|not approved|up" +
				"|A's generation 1|another run's workload|refused|none|none|none|nothing|nothing|pending|none|none|none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, v := fields(after(t, tt.history))
			if names := strings.Join(n, "|"); names != wantNames {
				t.Errorf("names\n%s\nwant\n%s", names, wantNames)
			}
			if values := strings.Join(v, "|"); values != tt.want {
				t.Errorf("values\n%s\nwant\n%s", values, tt.want)
			}
		})
	}
	for range Initial().Fields() {
		break // leaving early is fine
	}
}

// Of all states that one request, the lease and the slot lead to, whatever is decided, no
// two have the same fields.
func TestFieldsTellStatesApart(t *testing.T) {
	const chain = 5 // events of the request, one after the other
	texts := strings.Fields("first:ask first:look first:remove first:list first:report " +
		"a:advance a:exit b:reuse approve renew prior-expiry final-expiry inventory-down")
	decisions := map[Kind][]Decision{Take: {Refuse, Remove, RemoveRun}, Report: {SayUnknown, SayRemoved}}
	type point struct {
		state State
		done  uint32 // a set of positions in texts
	}
	seen := map[point]bool{{state: Initial()}: true}
	byFields := map[string]State{}
	for stack := []point{{state: Initial()}}; len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		_, values := fields(p.state)
		key := strings.Join(values, "|")
		if other, ok := byFields[key]; ok && other != p.state {
			t.Fatalf("two states have the fields %s:\n%+v\n%+v", key, other, p.state)
		}
		byFields[key] = p.state
		for i, text := range texts {
			ready := i == 0 || i >= chain || p.done>>(i-1)&1 != 0
			if !ready || p.done>>i&1 != 0 {
				continue
			}
			e := parse(t, text)
			choices := decisions[e.Kind]
			if choices == nil {
				choices = []Decision{NoDecision}
			}
			for _, d := range choices {
				next := point{Next(p.state, e, d), p.done | 1<<i}
				if !seen[next] {
					seen[next] = true
					stack = append(stack, next)
				}
			}
		}
	}
	if len(byFields) != 46280 {
		t.Errorf("%d different states, want 46,280", len(byFields))
	}
}
