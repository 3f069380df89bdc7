package main

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiBarrier(c *comm, f core.Form) (*core.Request, error) { return c.Barrier(f) }

func mpiBcast(c *comm, f core.Form, m memory, root int) (*core.Request, error) {
	b, err := nothing, error(nil)
	if !c.outside(root) {
		b, err = given("message", m)
	}
	if err != nil {
		return nil, err
	}
	return c.Bcast(f, b, root)
}
