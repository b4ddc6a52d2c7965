//go:build unix

package watch

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the process that cmd starts the leader of a process group, out of reach of
// the terminal's interrupts: whoever gets one has to end the context.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the group that p leads, or led: as long as it has a member, its number is
// not given to another.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // fails if nobody is left
}
