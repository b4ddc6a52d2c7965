package sqlservice

import (
	"slices"
	"testing"
)

func TestPathsAreWhatTheyReallyWrite(t *testing.T) {
	now := map[string]artifact{
		"out/a": {revision: 1}, "secret": {revision: 1},
		"out/latest": {target: "out/a"}, "latest": {target: "out/latest"}, "out/way": {target: "secret"},
		"round": {target: "about"}, "about": {target: "round"},
	}
	tests := []struct {
		name, reason string
		declared     []string
		want         []string
		inside       bool
	}{
		{"plain", "one path is one file", []string{"out/a"}, []string{"out/a"}, true},
		{"new", "a file need not exist", []string{"out/new"}, []string{"out/new"}, true},
		{"spelled otherwise", "case, dots and slashes make no other file", []string{"./Out//x/../A/"}, []string{"out/a"}, true},
		{"twice", "a file is written once", []string{"out/a", "OUT/A", "out/latest"}, []string{"out/a"}, true},
		{"in order", "and in the order of the manifest", []string{"out/b", "out/a"}, []string{"out/b", "out/a"}, true},
		{"alias", "it is followed", []string{"out/latest"}, []string{"out/a"}, true},
		{"alias of an alias", "both are", []string{"latest"}, []string{"out/a"}, true},
		{"alias out of the scope", "what counts is where it leads", []string{"out/way"}, []string{"secret"}, false},
		{"dots", "they lead out of the scope", []string{"out/../secret"}, []string{"secret"}, false},
		{"out of the project", "it is in no scope", []string{"out/../../out/a"}, []string{"../out/a"}, false},
		{"absolute", "nor is this", []string{"/out/a"}, []string{"/out/a"}, false},
		{"the directory itself", "it is not inside of itself", []string{"out/"}, []string{"out"}, false},
		{"a name that begins alike", "it is another directory", []string{"output/a"}, []string{"output/a"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := writes(tt.declared, now)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q writes %q, want %q: %s", tt.declared, got, tt.want, tt.reason)
			}
			for _, p := range got {
				if inside("Out/", p) != tt.inside {
					t.Errorf("%q is in the scope: %v, want %v: %s", p, !tt.inside, tt.inside, tt.reason)
				}
			}
		})
	}
	if got := writes([]string{"round"}, now); len(got) != 1 {
		t.Errorf("a circle writes %q", got)
	}
}
