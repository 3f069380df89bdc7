package main

import (
	"context"
	"errors"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// together has all ranks do something, and once more those that are left if one dies meanwhile, until all have done it. It returns the
// communicator of those. Rank 0 must not die.
func together(ctx context.Context, c *mpi.Comm, do func(c *mpi.Comm) error) (*mpi.Comm, error) {
	manager := c.Rank() == 0
	for {
		c = c.WithContext(ctx)
		err := do(c)
		done := uint64(1)
		if err != nil {
			if !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrRevoked) {
				return c, err
			}
			done = 0
			if err := c.Revoke(); err != nil { // others may wait for this rank
				return c, err
			}
		}
		done, err = c.Agree(done)
		if err != nil && !errors.Is(err, mpi.ErrProcFailed) {
			return c, err
		}
		if done == 1 { // also if one has died after that: the farm goes on without it
			return c, nil
		}
		if c, err = c.Shrink(); err != nil {
			return c, err
		}
		if c.Rank() == 0 && !manager {
			return c, errors.New("the manager, rank 0, has died")
		}
	}
}
