package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestLines(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", maxLine)
	in := newLines(iotest.HalfReader(strings.NewReader("one\n\n" + longest + "\nrest")))
	for _, want := range []string{"one", "", longest} {
		if got, err := in.next(); err != nil || string(got) != want {
			t.Fatalf("%d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	if got, err := in.next(); err != io.EOF || string(got) != "rest" {
		t.Errorf("at the end %q, %v", got, err)
	}
	if got, err := in.next(); err != io.EOF || len(got) != 0 {
		t.Errorf("behind the end %q, %v", got, err)
	}
}

// However much comes without a line feed, little of it is kept.
func TestLinesThatAreTooLong(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("x", maxLine+1) + "\n", strings.Repeat("x", 3*maxLine)} {
		read := &counting{Reader: strings.NewReader(text)}
		got, err := newLines(read).next()
		if !errors.Is(err, errTooLong) || len(got) > 1000 || read.n > maxLine+10_000 {
			t.Errorf("%d bytes, %v, after reading %d of %d", len(got), err, read.n, len(text))
		}
	}
}

type counting struct {
	io.Reader
	n int
}

func (c *counting) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	c.n += n
	return n, err
}

func TestShown(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"plain", `{"id":1}`, "`{\"id\":1}`"},
		{"nothing", "", "``"},
		{"a backquote", "a`b", "\"a`b\""},
		{"an escape sequence", "\x1b[2J", `"\x1b[2J"`},
		{"text that turns around", "a\u202eb", `"a\u202eb"`},
		{"no UTF-8", "\xff", `"\xff"`},
		{"as long as it may be", strings.Repeat("a", maxShown), "`" + strings.Repeat("a", maxShown) + "`"},
		{"longer", strings.Repeat("a", maxShown+1), "`" + strings.Repeat("a", maxShown) + "`…"},
		{"cut between characters", strings.Repeat("a", maxShown-1) + "éé", "`" + strings.Repeat("a", maxShown-1) + "`…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := shown([]byte(tt.text)); got != tt.want || !utf8.ValidString(got) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	short := func(n int) string { return fmt.Sprintf("line %03d\n", n) } // 9 bytes
	long := strings.Repeat("x", maxTail)
	var many, last strings.Builder
	for i := range 1000 {
		many.WriteString(short(i))
		if i >= 1000-maxTail/9 {
			last.WriteString(short(i))
		}
	}
	tests := []struct {
		name    string
		written []string
		want    string
	}{
		{"nothing", nil, ""},
		{"little", []string{"a\nb", "c\n"}, "a\nbc\n"},
		{"all that there is room for", []string{long}, long},
		{"many lines", []string{many.String()}, last.String()},
		{"many lines, one by one", strings.SplitAfter(many.String(), "\n"), last.String()},
		{"a long line", []string{"start ", long}, long},
		{"a long line with an end", []string{"start ", long, "\n"}, long[1:] + "\n"},
		{"a line behind a long one", []string{long, "\nend\n"}, "end\n"},
		{"no UTF-8", []string{"\xff\n"}, "\uFFFD\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var kept tail
			for _, text := range tt.written {
				if n, err := kept.Write([]byte(text)); n != len(text) || err != nil {
					t.Fatalf("wrote %d, %v", n, err)
				}
			}
			if got := kept.String(); got != tt.want {
				t.Errorf("%d bytes %.40q…, want %d bytes %.40q…", len(got), got, len(tt.want), tt.want)
			}
		})
	}
}
