package session

import (
	"strings"
	"testing"
	"time"
)

func TestOptionsDefaults(t *testing.T) {
	got, err := Options{}.complete()
	if err != nil {
		t.Fatal(err)
	}
	if got.Run == "" || !isName(got.Run) {
		t.Errorf("the run is %q", got.Run)
	}
	if again, _ := (Options{}).complete(); again.Run == got.Run {
		t.Errorf("two runs are called %q", got.Run)
	}
	got.Run = ""
	if want := (Options{Session: "session", Generation: 1, Build: "none", Port: 3187, Lifetime: 90 * time.Second}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	whole := Options{Run: "r", Session: "s", Generation: 7, Build: "b", Port: 1, Lifetime: time.Second}
	if got, err := whole.complete(); err != nil || got != whole {
		t.Errorf("whole options became %+v, %v", got, err)
	}
}

func TestOptionsBounds(t *testing.T) {
	long := strings.Repeat("n", 65)
	for _, tt := range []struct {
		name    string
		options Options
		want    string // of the error
	}{
		{"longest name", Options{Run: long[:64]}, ""},
		{"too long", Options{Run: long}, `run "`},
		{"every kind of letter", Options{Session: "aZ09._-"}, ""},
		{"space", Options{Session: "a b"}, `session "a b"`},
		{"equals sign", Options{Build: "a=b"}, `build "a=b"`},
		{"end of text", Options{Run: "a\x00"}, `run "`},
		{"other letters", Options{Run: "é"}, `run "`},
		{"highest port", Options{Port: 65535}, ""},
		{"port too high", Options{Port: 65536}, "port 65536"},
		{"port below 0", Options{Port: -1}, "port -1"},
		{"shortest life", Options{Lifetime: time.Second}, ""},
		{"life too short", Options{Lifetime: time.Second - 1}, "lifetime 999.999999ms: use 1s to 10m0s"},
		{"longest life", Options{Lifetime: 10 * time.Minute}, ""},
		{"life too long", Options{Lifetime: 10*time.Minute + 1}, "lifetime 10m0"},
		{"life below 0", Options{Lifetime: -time.Minute}, "lifetime -1m0s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.options.complete()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
