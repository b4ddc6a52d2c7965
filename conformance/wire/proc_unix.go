//go:build unix

package wire

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the process that cmd starts the leader of a process group, so that it
// can be killed together with what it starts. An interrupt from the terminal does not
// reach the group: whoever gets it has to end the context.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup kills the group that p leads. It works after p has ended, too: while there
// is anybody in the group, its number is not given out again.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // an error says that nobody is left
}

func ending(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("was ended by a signal (%v)", status.Signal())
	}
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}
