//go:build !unix

package watch

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup kills p alone: what it started can't be found here.
func killGroup(p *os.Process) {
	_ = p.Kill() // fails if it has ended
}
