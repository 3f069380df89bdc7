package main

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiAllgather(c *comm, f core.Form, send, recv memory) (*core.Request, error) {
	out, err := times("receive", recv, c.peers())
	if err != nil {
		return nil, err
	}
	in := out
	if !c.Inter() {
		in = part(out, c.Rank()*int(recv.count), int(recv.count))
	}
	if !inPlace(send.addr) || c.Inter() {
		in, err = apart("send", send, in)
	}
	if err != nil {
		return nil, err
	}
	return c.Allgather(f, in, out)
}

func mpiAllgatherv(c *comm, f core.Form, send memory, recv parts) (*core.Request, error) {
	out, layout, err := laidOut("receive", recv, c.peers())
	if err != nil {
		return nil, err
	}
	in := out
	if !c.Inter() {
		in = c.own(out, layout)
	}
	if !inPlace(send.addr) || c.Inter() {
		in, err = apart("send", send, in)
	}
	if err != nil {
		return nil, err
	}
	return c.Allgatherv(f, in, out, layout)
}
