//go:build !linux

package session

import "os"

func help(string) { os.Exit(2) }
