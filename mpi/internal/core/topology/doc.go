// Package topology has MPI's virtual topologies (MPI 4.1, chapter 8) as pure data: grids, graphs and distributed graphs, and who
// is whose neighbour in them. Ranks are those of the communicator that has the topology; nothing here sends.
package topology

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// ProcNull stands for a neighbour beyond the border of a grid.
const ProcNull = -2

// Topology tells the neighbours of each rank. It is one of *Cart, *Graph and *DistGraph.
type Topology interface {
	// Neighbors are those with whom a rank exchanges in neighbourhood collectives, in the order of their blocks in the
	// buffers (section 8.6): it receives from sources and sends to destinations.
	Neighbors(rank int) (sources, destinations []int32)
}

// maxSize is the largest number of ranks: MPI has them in an int of 32 bits.
const maxSize = 1<<31 - 1

// member checks that a rank is one of size ranks.
func member(op string, rank, size int) *mpierr.Error {
	if rank < 0 || rank >= size {
		return mpierr.Invalid(op, rpi.ErrRank, "rank %d is not in a topology of %s", rank, mpierr.Plural(size, "rank"))
	}
	return nil
}
