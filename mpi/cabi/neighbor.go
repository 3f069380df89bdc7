package main

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiNeighborAllgather(c *comm, f core.Form, send, recv memory) (*core.Request, error) {
	sources, _ := c.NeighborCounts()
	in, err := given("send", send)
	if err != nil {
		return nil, err
	}
	out, err := times("receive", recv, sources)
	if err != nil {
		return nil, err
	}
	return c.NeighborAllgather(f, in, out)
}

func mpiNeighborAllgatherv(c *comm, f core.Form, send memory, recv parts) (*core.Request, error) {
	sources, _ := c.NeighborCounts()
	in, err := given("send", send)
	if err != nil {
		return nil, err
	}
	out, layout, err := laidOut("receive", recv, sources)
	if err != nil {
		return nil, err
	}
	return c.NeighborAllgatherv(f, in, out, layout)
}

func mpiNeighborAlltoall(c *comm, f core.Form, send, recv memory) (*core.Request, error) {
	sources, destinations := c.NeighborCounts()
	in, err := times("send", send, destinations)
	if err != nil {
		return nil, err
	}
	out, err := times("receive", recv, sources)
	if err != nil {
		return nil, err
	}
	return c.NeighborAlltoall(f, in, out)
}

func mpiNeighborAlltoallv(c *comm, f core.Form, send, recv parts) (*core.Request, error) {
	sources, destinations := c.NeighborCounts()
	in, from, err := laidOut("send", send, destinations)
	if err != nil {
		return nil, err
	}
	out, to, err := laidOut("receive", recv, sources)
	if err != nil {
		return nil, err
	}
	return c.NeighborAlltoallv(f, in, from, out, to)
}

func mpiNeighborAlltoallw(c *comm, f core.Form, send, recv pieces) (*core.Request, error) {
	sources, destinations := c.NeighborCounts()
	in, err := separate("send", send, destinations)
	if err != nil {
		return nil, err
	}
	out, err := separate("receive", recv, sources)
	if err != nil {
		return nil, err
	}
	return c.NeighborAlltoallw(f, in, out)
}
