package main

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiScatter(c *comm, f core.Form, send, recv memory, root int) (*core.Request, error) {
	out, in, err := nothing, nothing, error(nil)
	if c.has(root) {
		out, err = times("send", send, c.peers())
	}
	switch {
	case err != nil || c.Inter() && c.has(root) || c.outside(root):
	case inPlace(recv.addr) && c.has(root):
		in = part(out, c.Rank()*int(send.count), int(send.count))
	case c.has(root):
		in, err = apart("receive", recv, part(out, c.Rank()*int(send.count), int(send.count)))
	default:
		in, err = given("receive", recv)
	}
	if err != nil {
		return nil, err
	}
	return c.Scatter(f, out, in, root)
}

func mpiScatterv(c *comm, f core.Form, send parts, recv memory, root int) (*core.Request, error) {
	out, in, err := nothing, nothing, error(nil)
	var layout core.Layout
	if c.has(root) {
		out, layout, err = laidOut("send", send, c.peers())
	}
	switch {
	case err != nil || c.Inter() && c.has(root) || c.outside(root):
	case inPlace(recv.addr) && c.has(root):
		in = c.own(out, layout)
	case c.has(root):
		in, err = apart("receive", recv, c.own(out, layout))
	default:
		in, err = given("receive", recv)
	}
	if err != nil {
		return nil, err
	}
	return c.Scatterv(f, out, layout, in, root)
}
