package main

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiAlltoall(c *comm, f core.Form, send, recv memory) (*core.Request, error) {
	in, err := times("receive", recv, c.peers())
	if err != nil {
		return nil, err
	}
	out := in
	if !inPlace(send.addr) || c.Inter() {
		if out, err = times("send", send, c.peers()); err == nil {
			err = aliased(out, in)
		}
	}
	if err != nil {
		return nil, err
	}
	return c.Alltoall(f, out, in)
}

func mpiAlltoallv(c *comm, f core.Form, send, recv parts) (*core.Request, error) {
	in, layout, err := laidOut("receive", recv, c.peers())
	if err != nil {
		return nil, err
	}
	out, from := in, layout
	if !inPlace(send.addr) || c.Inter() {
		if out, from, err = laidOut("send", send, c.peers()); err == nil {
			err = aliased(out, in)
		}
	}
	if err != nil {
		return nil, err
	}
	return c.Alltoallv(f, out, from, in, layout)
}

func mpiAlltoallw(c *comm, f core.Form, send, recv pieces) (*core.Request, error) {
	in, err := separate("receive", recv, c.peers())
	if err != nil {
		return nil, err
	}
	var out []core.Buffer // none: what is received replaces what is sent
	if !inPlace(send.addr) || c.Inter() {
		if send.addr == recv.addr && recv.addr != nil && c.Size() > 0 && in[0].Count > 0 {
			return nil, faultf(errBuffer, "the send and the receive buffer are the same memory: that needs MPI_IN_PLACE")
		}
		out, err = separate("send", send, c.peers())
	}
	if err != nil {
		return nil, err
	}
	return c.Alltoallw(f, out, in)
}
