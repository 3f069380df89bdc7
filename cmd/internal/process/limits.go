package process

import (
	"fmt"
	"math"
)

// What a rank takes at least, whatever its program is.
const (
	// descriptorsOfRank are those of the launcher for each rank: its two outputs, its PMI connection, its process.
	descriptorsOfRank = 4
	// spareDescriptors are for what the launcher has open itself, and for the ranks that are just being started.
	spareDescriptors = 32 + 8*starters
	// tasksOfRank are the rank and a thread of the launcher that waits for its end.
	tasksOfRank = 2
	// memoryOfRank is what the kernel, the launcher and the smallest of C programs need, in KiB.
	memoryOfRank = 256
)

// resource is something of which the ranks of a job need more than there may be.
type resource struct {
	rank   uint64 // what one rank needs
	spare  uint64 // what is needed beside
	left   uint64 // what there is
	text   string // with %d for what all ranks need and for what there is
	remedy string
}

// most is how many ranks there can be.
func (r resource) most() uint64 {
	if r.left < r.spare {
		return 0
	}
	return (r.left - r.spare) / r.rank
}

// Check says why so many ranks cannot be started on this host, nil if nothing is known that keeps them from it.
func Check(ranks int) error { return check(ranks, 0, resources()) }

// CheckWith is Check for ranks of this host beside so many remote shells, each of which needs about as much as a rank.
func CheckWith(ranks, shells int) error { return check(ranks, shells, resources()) }

// Most is how many ranks can be started on this host, as far as is known.
func Most() uint64 { return most(resources()) }

func most(resources []resource) uint64 {
	least := unlimited
	for _, r := range resources {
		least = min(least, r.most())
	}
	return least
}

func check(ranks, shells int, resources []resource) error {
	size, what := ranks+shells, fmt.Sprintf("%d ranks", ranks)
	if shells > 0 {
		what += fmt.Sprintf(" here and %d remote shells", shells)
	}
	for _, r := range resources {
		if uint64(size) > r.most() {
			return fmt.Errorf("cannot start %s: "+r.text+", so there can be %d at most; %s",
				what, uint64(size)*r.rank+r.spare, r.left, r.most(), r.remedy)
		}
	}
	return nil
}

func descriptors(left uint64) resource {
	return resource{descriptorsOfRank, spareDescriptors, left,
		"mpirun needs %d open files for them, and may have %d", "raise the hard limit (ulimit -Hn)"}
}

func tasks(left uint64, limit string) resource {
	return resource{tasksOfRank, 0, left,
		"that takes %d processes and threads, and " + limit + " leaves %d", "raise it"}
}

func memory(bytes uint64) resource {
	return resource{memoryOfRank, 0, bytes >> 10,
		"that takes %d KiB of memory at the very least, and %d are left", "programs need more"}
}

// unlimited is the limit of what has none.
const unlimited uint64 = math.MaxUint64
