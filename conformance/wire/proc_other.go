//go:build !unix

package wire

import (
	"fmt"
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup kills p alone: what it started is not found here.
func killGroup(p *os.Process) {
	_ = p.Kill() // an error says that it has ended
}

func ending(state *os.ProcessState) string {
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}
