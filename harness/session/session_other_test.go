//go:build !linux

package session

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestThereAreNone(t *testing.T) {
	Enter() // comes back
	s, err := Start(t.Context(), Options{})
	if s != nil || !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), runtime.GOOS) {
		t.Errorf("Start is %v, %v", s, err)
	}
	if _, err := Start(t.Context(), Options{Lifetime: -time.Second}); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("Start with a bad lifetime: %v", err)
	}
	if _, err := Inventory(t.Context(), "r"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("Inventory: %v", err)
	}
}
