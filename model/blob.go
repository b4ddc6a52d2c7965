package model

import (
	"crypto/sha256"
	"encoding/hex"
	"unique"
)

// A Blob is an immutable piece of content: its bytes and their SHA-256. Blobs
// with equal bytes are equal.
//
// The content is interned, so that a state that holds several blobs stays
// small, comparing two is comparing a word, and the digest is computed once,
// in NewBlob. The zero Blob is no content at all, which differs from content
// of no bytes.
type Blob struct {
	handle unique.Handle[content]
}

type content struct {
	bytes string
	sum   [sha256.Size]byte
}

// NewBlob returns the blob of bytes, hashing them.
func NewBlob(bytes string) Blob {
	return Blob{unique.Make(content{bytes, sha256.Sum256([]byte(bytes))})}
}

// Bytes returns the content; the empty string for the zero Blob.
func (b Blob) Bytes() string {
	if b == (Blob{}) {
		return ""
	}
	return b.handle.Value().bytes
}

// Digest returns the identity of the content; the zero Digest for the zero
// Blob.
func (b Blob) Digest() Digest { return Digest(b) }

// A Digest names bytes by their SHA-256. It says which bytes, not who made
// them: anyone can hash a fabricated log.
type Digest struct {
	handle unique.Handle[content]
}

// String returns the digest in hexadecimal, or "none" for the zero Digest.
func (d Digest) String() string {
	if d == (Digest{}) {
		return "none"
	}
	sum := d.handle.Value().sum
	return hex.EncodeToString(sum[:])
}

// Short returns the first four hexadecimal digits and an ellipsis, for people.
func (d Digest) Short() string {
	if text := d.String(); len(text) > 4 {
		return text[:4] + "…"
	}
	return "none"
}
