package main

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiGather(c *comm, f core.Form, send, recv memory, root int) (*core.Request, error) {
	in, out, err := nothing, nothing, error(nil)
	if c.has(root) {
		out, err = times("receive", recv, c.peers())
	}
	switch {
	case err != nil || c.Inter() && c.has(root) || c.outside(root):
	case inPlace(send.addr) && c.has(root):
		in = part(out, c.Rank()*int(recv.count), int(recv.count))
	case c.has(root):
		in, err = apart("send", send, part(out, c.Rank()*int(recv.count), int(recv.count)))
	default:
		in, err = given("send", send)
	}
	if err != nil {
		return nil, err
	}
	return c.Gather(f, in, out, root)
}

func mpiGatherv(c *comm, f core.Form, send memory, recv parts, root int) (*core.Request, error) {
	in, out, err := nothing, nothing, error(nil)
	var layout core.Layout
	if c.has(root) {
		out, layout, err = laidOut("receive", recv, c.peers())
	}
	switch {
	case err != nil || c.Inter() && c.has(root) || c.outside(root):
	case inPlace(send.addr) && c.has(root):
		in = c.own(out, layout)
	case c.has(root):
		in, err = apart("send", send, c.own(out, layout))
	default:
		in, err = given("send", send)
	}
	if err != nil {
		return nil, err
	}
	return c.Gatherv(f, in, out, layout, root)
}
