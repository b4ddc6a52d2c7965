package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// maxLine is how long a message may be, in bytes, without the line feed that ends it.
const maxLine = 1 << 20

var errTooLong = fmt.Errorf("a line is longer than %d bytes", maxLine)

// lines reads lines of limited length.
type lines struct{ in *bufio.Reader }

func newLines(r io.Reader) lines { return lines{bufio.NewReader(r)} }

// next returns the next line, without its line feed. If the input ends or fails, it
// returns what had been read of a line by then, with the error; if a line is too
// long, its beginning with errTooLong, and the rest must not be read.
func (l lines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...) // a copy: the buffer will be overwritten
		if len(bytes.TrimSuffix(line, []byte("\n"))) > maxLine {
			return line[:2*maxShown], errTooLong
		}
		switch err {
		case nil:
			return line[:len(line)-1], nil
		case bufio.ErrBufferFull: // the line is longer than the buffer
		default:
			return line, err
		}
	}
}

// behind returns what has already been read of the lines to come, and waits for nothing.
func (l lines) behind() []byte {
	rest, _ := l.in.Peek(l.in.Buffered())
	return bytes.Clone(rest)
}

// maxShown is how much of a message an error shows, in bytes.
const maxShown = 160

// shown returns the beginning of text in quotes, on one line and without anything that a
// terminal would act on.
func shown(text []byte) string {
	end := ""
	if len(text) > maxShown {
		cut := maxShown
		for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text, end = text[:cut], "…"
	}
	for _, r := range string(text) {
		if r == '`' || r == utf8.RuneError || !unicode.IsPrint(r) {
			return strconv.Quote(string(text)) + end
		}
	}
	return "`" + string(text) + "`" + end
}
