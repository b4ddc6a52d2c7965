package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"

	"example.com/commitpoint/enumerate"
)

// A progressLine is rewritten in place on a terminal, and silent elsewhere.
type progressLine struct {
	terminal io.Writer // nil if there is none
	last     time.Time
	shown    bool
}

// redrawEvery keeps the line readable, and writing it cheap.
const redrawEvery = 100 * time.Millisecond

func newProgressLine(stderr io.Writer) *progressLine {
	line := &progressLine{last: time.Now()}
	if f, ok := stderr.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		line.terminal = f
	}
	return line
}

func (l *progressLine) show(p enumerate.Progress) {
	l.say(fmt.Sprintf("%d of %d events, %d nodes, %d edges, %.1f million edges/s, %v histories",
		p.Layer, p.Layers, p.Nodes, p.Edges, p.Rate()/1e6, p.Histories))
}

// say shows a text, if it is time for another.
func (l *progressLine) say(text string) {
	if l.terminal == nil || time.Since(l.last) < redrawEvery {
		return
	}
	l.last, l.shown = time.Now(), true
	fmt.Fprint(l.terminal, "\r\x1b[K"+text)
}

func (l *progressLine) clear() {
	if l.shown {
		fmt.Fprint(l.terminal, "\r\x1b[K")
	}
}
