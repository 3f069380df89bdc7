package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Alltoallw is Alltoallv of blocks that are buffers of their own, each with its own type: send[i] goes to rank i, and what rank i
// sends to recv[i].
func (c *View) Alltoallw(f Form, send, recv []Buffer) (*Request, error) {
	o, err := c.begin(collective.Alltoallw, f, noType)
	if err != nil {
		return nil, err
	}
	from, to := blocks{n: len(send), list: send}, blocks{n: len(recv), list: recv}
	perPeer(o, "send", len(send), c.Size(), "rank")
	perPeer(o, "receive", len(recv), c.Size(), "rank")
	if o.Err() == nil {
		toSelf(o, from.at(c.rank), to.at(c.rank))
	}
	if c.exchange(o, &from, &to) {
		schedule.Alltoallv(o.Builder(), c.ranks(), o.Block, func(i int) schedule.Part { return o.Block(from.n + i) }, schedule.Start)
	}
	return c.launch(f, o)
}

// perPeer checks the number of the what blocks of a call, which has one for each of n things of a kind.
func perPeer(o *collective.Operation, what string, blocks, n int, kind string) {
	if blocks != n {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "there are %s for %s", mpierr.Plural(blocks, what+" block"), mpierr.Plural(n, kind)))
	}
}

// exchange checks the blocks of an operation, and adds those that are sent and then those that are received to its memory. It
// reports false if the operation has failed.
func (c *View) exchange(o *collective.Operation, send, recv *blocks) bool {
	if o.Err() == nil {
		send.valid(o)
		recv.valid(o)
		distinct(o, send, recv)
	}
	if !o.Agree(0, 0, 0) {
		return false
	}
	send.add(o, load)
	recv.add(o, store)
	return true
}
