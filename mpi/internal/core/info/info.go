// Package info has hints of programs: keys and values, which are text (MPI 4.1, chapter 10).
package info

import (
	"slices"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Limits in bytes (MPI_MAX_INFO_KEY and MPI_MAX_INFO_VAL, without the end that C needs).
const (
	MaxKey   = 255
	MaxValue = 1023
)

// Info is pairs of keys and values, in the order in which keys were first set. The zero Info, and nil where it is only
// read, are empty. Its methods may be called by several goroutines.
type Info struct {
	mu    sync.Mutex
	pairs []pair
}

type pair struct{ key, value string }

// Set gives a key a value (MPI_INFO_SET). op is for its errors.
func (i *Info) Set(op, key, value string) error {
	switch {
	case i == nil:
		return mpierr.Invalid(op, rpi.ErrArg, "the info is nil")
	case key == "" || len(key) > MaxKey:
		return mpierr.Invalid(op, rpi.ErrArg, "a key of %s; there must be 1 to %d", mpierr.Plural(len(key), "byte"), MaxKey)
	case len(value) > MaxValue:
		return mpierr.Invalid(op, rpi.ErrArg, "a value of %d bytes for the key %q; there must be at most %d", len(value), key, MaxValue)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if n := i.find(key); n >= 0 {
		i.pairs[n].value = value
	} else {
		i.pairs = append(i.pairs, pair{key, value})
	}
	return nil
}

// Get returns the value of a key (MPI_INFO_GET_STRING).
func (i *Info) Get(key string) (value string, ok bool) {
	if i == nil {
		return "", false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if n := i.find(key); n >= 0 {
		return i.pairs[n].value, true
	}
	return "", false
}

// Delete removes a key (MPI_INFO_DELETE).
func (i *Info) Delete(op, key string) error {
	if i != nil {
		i.mu.Lock()
		defer i.mu.Unlock()
		if n := i.find(key); n >= 0 {
			i.pairs = slices.Delete(i.pairs, n, n+1)
			return nil
		}
	}
	return mpierr.Invalid(op, rpi.ErrArg, "there is no key %q", key)
}

// Keys lists the keys, in order (MPI_INFO_GET_NKEYS, MPI_INFO_GET_NTHKEY).
func (i *Info) Keys() (keys []string) {
	if i == nil {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.pairs {
		keys = append(keys, p.key)
	}
	return keys
}

// Dup returns a copy (MPI_INFO_DUP).
func (i *Info) Dup() *Info {
	if i == nil {
		return new(Info)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return &Info{pairs: slices.Clone(i.pairs)}
}

func (i *Info) find(key string) int {
	return slices.IndexFunc(i.pairs, func(p pair) bool { return p.key == key })
}
