package rpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Groups has the group of a context: the ranks that use it, this process's own among them. A
// context without an entry is used by all processes of the job.
type Groups map[matching.Context][]matching.Rank

// ErrDeserted is the error of a receive or probe from any source when no process is left to send.
var ErrDeserted = fmt.Errorf("%w: all other processes of the communicator are gone", ErrProcFailed)

// Add sets the group of a context.
func (g *Groups) Add(c matching.Context, group []matching.Rank) {
	if *g == nil {
		*g = make(Groups)
	}
	(*g)[c] = group
}

// Deserted reports whether other processes use a context and all of them are gone. size is the
// number of processes in the job.
func (g Groups) Deserted(c matching.Context, self matching.Rank, size int, gone func(matching.Rank) bool) bool {
	others := 0
	each := func(r matching.Rank) bool {
		if r == self {
			return true
		}
		others++
		return gone(r)
	}
	if group, ok := g[c]; ok {
		for _, r := range group {
			if !each(r) {
				return false
			}
		}
		return others > 0
	}
	for r := range size {
		if !each(matching.Rank(r)) {
			return false
		}
	}
	return others > 0
}
