// Package commitpoint model-checks completion protocols exhaustively: when may
// a coordination service record a worker's or an AI agent's task as done?
//
// The packages below it do the work. To judge an acceptance rule of one's own
// in go test, see package study; to check another protocol on the same engine,
// package enumerate; for the contract itself, packages model, mechanisms and
// oracle. The explore command, in cmd/explore, prints the results and
// reproduces them byte for byte.
//
// This package knows only what the module is made of.
package commitpoint

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// Version is the version of the module.
const Version = "0.1.0"

//go:embed model/*.go mechanisms/*.go oracle/*.go enumerate/*.go study/*.go
var sources embed.FS

// SourceDigest identifies the code that the study's figures come from: the
// SHA-256, as "sha256:" and hexadecimal digits, over the non-test Go sources of
// model, mechanisms, oracle, enumerate and study, in the order of their paths,
// each preceded by its path and its length in bytes.
func SourceDigest() string { return digest(sources) }

func digest(sources fs.FS) string {
	sum := sha256.New()
	err := fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(sources, path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		panic(err) // an embedded file system can be read
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
