//go:build !unix

package watch

func childUnix(string, []string) bool { return false }
