package main

import (
	"os"
	"syscall"
)

// peakKiB returns the largest resident set of a process that has ended.
func peakKiB(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss // KiB on Linux
}
