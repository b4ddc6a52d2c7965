package counterexamples

import (
	"fmt"
	"strings"

	"example.com/commitpoint/enumerate"
)

// maxName is the longest name that an event, or a mechanism, can have.
const maxName = 200

// maxText is the longest text that can be a schedule.
const maxText = 64 << 10

// ParseSchedule reads the text forms of a history's events, separated by spaces,
// commas, arrows or line breaks. It knows no protocol: what the names mean is for
// others to say. The error says what can't be the name of an event.
func ParseSchedule(text string) ([]string, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%d bytes are no schedule: give the names of its events, at most %d", len(text), enumerate.MaxEvents)
	}
	names := strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \t\r\n,→", r)
	})
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("the schedule is empty: give the names of its events, in order")
	case len(names) > enumerate.MaxEvents:
		return nil, fmt.Errorf("a schedule of %d events: there can be at most %d", len(names), enumerate.MaxEvents)
	}
	for _, name := range names {
		if len(name) > maxName {
			return nil, fmt.Errorf("%.40q… is not the name of an event: it has %d bytes, and names at most %d", name, len(name), maxName)
		}
		if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '\uFFFD' || r == 0x7f }) {
			return nil, fmt.Errorf("%.40q is not the name of an event: this is no text", name)
		}
	}
	return names, nil
}
