package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What is larger is refused unread: a receipt has a dozen facts.
const (
	maxBytes = 256 << 10
	maxDepth = 32
)

// A node is a JSON value. encoding/json has no tree of its own that keeps the order of
// members and notices duplicates.
type node struct {
	token   json.Token // of a scalar, with numbers as written; else the opening delimiter
	names   []string   // of the members
	members map[string]*node
	items   []*node
	read    bool // an adapter has asked what it is
}

// parse returns the tree of a payload that is one JSON text.
func parse(payload []byte) (*node, error) {
	if len(payload) > maxBytes {
		return nil, fmt.Errorf("the payload has %d bytes; send at most %d", len(payload), maxBytes)
	}
	if len(bytes.TrimSpace(payload)) == 0 {
		return nil, errors.New("there is no receipt: the payload is empty; send a JSON object")
	}
	if !utf8.Valid(payload) {
		return nil, fmt.Errorf("ill-formed UTF-8 at byte %d of the payload; encode it as UTF-8", illFormed(payload))
	}
	// Token alone would accept more than the grammar does, and would not see what follows.
	var whole json.RawMessage
	if err := json.Unmarshal(payload, &whole); err != nil {
		return nil, notJSON(err)
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	return parseValue(d, "$", 1)
}

func notJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("the payload is not one JSON text, at byte %d: %w; send a JSON object and nothing else", syntax.Offset, err)
	}
	return fmt.Errorf("the payload is not one JSON text: %w; send a JSON object and nothing else", err)
}

// illFormed returns the offset of the first byte that is not part of a character.
func illFormed(payload []byte) (at int) {
	for at < len(payload) {
		r, size := utf8.DecodeRune(payload[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

func parseValue(d *json.Decoder, path string, depth int) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; send valid JSON", path, err)
	}
	n := &node{token: token}
	delimiter, nested := token.(json.Delim)
	if text, isText := token.(string); isText {
		return n, checkText(path, text)
	}
	if !nested {
		return n, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: it is nested more than %d deep; flatten it", path, maxDepth)
	}
	if delimiter == '{' {
		err = n.parseMembers(d, path, depth)
	} else {
		err = n.parseItems(d, path, depth)
	}
	if err != nil {
		return nil, err
	}
	_, err = d.Token() // the closing delimiter
	return n, err
}

func (n *node) parseMembers(d *json.Decoder, path string, depth int) error {
	n.members = make(map[string]*node)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return fmt.Errorf("%s: %w; send valid JSON", path, err)
		}
		name := token.(string) // in valid JSON nothing else can stand here
		at := member(path, name)
		if err := checkText(at, name); err != nil {
			return err
		}
		if n.members[name] != nil {
			return fmt.Errorf("%s: there are two of it; send one", at)
		}
		child, err := parseValue(d, at, depth+1)
		if err != nil {
			return err
		}
		n.names = append(n.names, name)
		n.members[name] = child
	}
	return nil
}

func (n *node) parseItems(d *json.Decoder, path string, depth int) error {
	for d.More() {
		child, err := parseValue(d, item(path, len(n.items)), depth+1)
		if err != nil {
			return err
		}
		n.items = append(n.items, child)
	}
	return nil
}

// checkText refuses U+FFFD, which encoding/json puts in place of every unpaired surrogate:
// two different names would become equal.
func checkText(path, text string) error {
	if strings.ContainsRune(text, utf8.RuneError) {
		return fmt.Errorf("%s: it has an unpaired surrogate or U+FFFD; send the characters that are meant", path)
	}
	return nil
}

// member returns the path of a member. A name that is not a plain word is quoted, and a
// long one cut off: names are from the payload, and errors end up in logs.
func member(path, name string) string {
	plain := name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
	if plain && len(name) <= maxShown {
		return path + "." + name
	}
	return path + "[" + quote(name) + "]"
}

func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// maxShown is how many characters of a payload's text an error shows.
const maxShown = 40

func quote(text string) string { return fmt.Sprintf("%.*q", maxShown, text) }
