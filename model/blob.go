package model

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"sync/atomic"
)

// A Blob is an immutable piece of content: its bytes and their SHA-256. Blobs
// with equal bytes are equal. The zero Blob is no content at all, which
// differs from content of no bytes.
//
// A Blob is a number that NewBlob gives out: a state that holds several stays
// small, comparing two is comparing a word, and nothing is hashed twice. It is
// no pointer, so that a garbage collector has nothing to look for in a table
// of states. The numbers depend on the order of calls and never show.
type Blob struct{ number uint32 }

type content struct {
	bytes string
	sum   [sha256.Size]byte
}

// contents holds every content there is, by number; 0 stays unused. The list
// only grows, and is replaced as a whole, so that readers need no lock.
var contents struct {
	sync.Mutex
	numbers map[string]uint32
	list    atomic.Pointer[[]content]
}

// NewBlob returns the blob of bytes, hashing them if they are new. The content
// is kept for the life of the process: blobs are for models, not for data.
func NewBlob(bytes string) Blob {
	contents.Lock()
	defer contents.Unlock()
	if n, ok := contents.numbers[bytes]; ok {
		return Blob{n}
	}
	list := []content{{}}
	if contents.numbers == nil {
		contents.numbers = make(map[string]uint32)
	} else {
		list = *contents.list.Load()
	}
	n := uint32(len(list))
	list = append(list, content{bytes, sha256.Sum256([]byte(bytes))})
	contents.numbers[bytes] = n
	contents.list.Store(&list)
	return Blob{n}
}

// String returns the beginning of the content's digest.
func (b Blob) String() string { return b.Digest().Short() }

// Bytes returns the content; the empty string for the zero Blob.
func (b Blob) Bytes() string {
	if b == (Blob{}) {
		return ""
	}
	return (*contents.list.Load())[b.number].bytes
}

// Digest returns the identity of the content; the zero Digest for the zero
// Blob.
func (b Blob) Digest() Digest { return Digest(b) }

// A Digest names bytes by their SHA-256. It says which bytes, not who made
// them: anyone can hash a fabricated log.
type Digest struct{ number uint32 }

// String returns the SHA-256 in hexadecimal, or "none" for the zero Digest.
func (d Digest) String() string {
	if d == (Digest{}) {
		return "none"
	}
	sum := (*contents.list.Load())[d.number].sum
	return hex.EncodeToString(sum[:])
}

// Short returns the first four hexadecimal digits and an ellipsis, for people.
func (d Digest) Short() string {
	if text := d.String(); len(text) > 4 {
		return text[:4] + "…"
	}
	return "none"
}
