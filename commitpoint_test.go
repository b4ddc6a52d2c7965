package commitpoint

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestDigest(t *testing.T) {
	base := fstest.MapFS{
		"model/next.go":      {Data: []byte("package model\n")},
		"model/next_test.go": {Data: []byte("package model // a test\n")},
		"oracle/oracle.go":   {Data: []byte("package oracle\n")},
	}
	with := func(path, text string) fstest.MapFS {
		changed := fstest.MapFS{}
		for p, f := range base {
			changed[p] = f
		}
		changed[path] = &fstest.MapFile{Data: []byte(text)}
		return changed
	}
	want := digest(base)
	if !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(want) {
		t.Errorf("digest = %q", want)
	}
	if got := digest(with("model/next_test.go", "another test")); got != want {
		t.Error("a test is part of the digest")
	}
	for path, text := range map[string]string{
		"model/next.go":  "package model // changed\n", // other content
		"model/extra.go": "",                           // another file, though empty
	} {
		if digest(with(path, text)) == want {
			t.Errorf("%s with %q does not change the digest", path, text)
		}
	}
}

// The digest covers the packages that the figures are counted by, as they are on
// disk.
func TestDigestCoversTheSources(t *testing.T) {
	for _, dir := range []string{"model", "mechanisms", "oracle", "enumerate", "study"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			path := dir + "/" + e.Name()
			onDisk, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			embedded, err := sources.ReadFile(path)
			if err != nil || string(embedded) != string(onDisk) {
				t.Errorf("%s is not embedded as it is: %v", path, err)
			}
		}
	}
}

func TestVersionIsInTheChangelog(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\n## "+Version+"\n") {
		t.Errorf("CHANGELOG.md has no section for %s", Version)
	}
}
