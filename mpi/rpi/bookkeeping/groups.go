package bookkeeping

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Groups has the processes that use a context, this one among them, where they are not all of
// the job.
type Groups map[matching.Context][]matching.Rank

// ErrDeserted is the error of an operation that waits for anybody where nobody is left.
var ErrDeserted = fmt.Errorf("%w: all other processes of the communicator are gone", rpi.ErrProcFailed)

// Add notes who uses a context.
func (g *Groups) Add(c matching.Context, group []matching.Rank) {
	if *g == nil {
		*g = make(Groups)
	}
	(*g)[c] = group
}

// Deserted reports whether all others that use a context are gone, and there were any. size
// is how many processes the job has.
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
