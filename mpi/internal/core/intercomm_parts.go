package core

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Intercommunicators of some processes of another one (MPI 4.1, section 7.4.2): those of its first group in the first group,
// those of its second in the second.

// between makes an intercommunicator of the processes with these numbers, in this order. It is nil if they are all of one group.
func (c *Comm) between(id matching.Context, numbers []int) *Comm {
	var near, far []int
	for _, number := range numbers {
		if c.isNear(number) {
			near = append(near, number)
		} else {
			far = append(far, number)
		}
	}
	if len(near) == 0 || len(far) == 0 {
		return nil
	}
	return c.joined(id, c.jobGroup(near), c.jobGroup(far), c.near[0] == 0)
}

// isNear reports whether the process with this number is in the group of this one.
func (b *bridge) isNear(number int) bool {
	first := int(b.near[0])
	return first <= number && number < first+len(b.near)
}

// createBetween is the end of Create: all has what the processes of both groups have said.
func (c *View) createBetween(all []founder) (*Comm, error) {
	var numbers []int
	for number, f := range all {
		first := int(c.far[0]) // of the group of this number
		if c.isNear(number) {
			first = int(c.near[0])
		}
		if f.Sum != all[first].Sum {
			return nil, mpierr.Invalid(collective.Create.Op(), rpi.ErrArg, "%s passes another group than %s: the processes of each group must pass the same",
				c.name(c.JobRank(number)), c.name(c.JobRank(first)))
		}
		if f.Place != Undefined {
			numbers = append(numbers, number)
		}
	}
	if all[c.ranks().Me].Place == Undefined {
		return nil, nil
	}
	slices.SortFunc(numbers, func(a, b int) int { return cmp.Or(cmp.Compare(all[a].Place, all[b].Place), cmp.Compare(a, b)) })
	return c.between(all[numbers[0]].Context, numbers), nil
}
