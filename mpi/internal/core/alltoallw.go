package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Alltoallw is Alltoallv of blocks that are buffers of their own, each with its own type: send[i] goes to rank i, and what rank i
// sends to recv[i]. If send is nil, what is received replaces what is sent (MPI_IN_PLACE).
func (c *View) Alltoallw(f Form, send, recv []Buffer) (*Request, error) {
	if c.Inter() {
		return c.alltoallwBetween(f, send, recv)
	}
	o, err := c.begin(collective.Alltoallw, f, noType)
	if err != nil {
		return nil, err
	}
	from, to := blocks{n: len(send), list: send}, blocks{n: len(recv), list: recv}
	if send == nil {
		from = blocks{n: len(recv), list: recv, copied: true}
	}
	perPeer(o, "send", from.n, c.Size(), "rank")
	perPeer(o, "receive", len(recv), c.Size(), "rank")
	if checked(o, &from, &to) {
		toSelf(o, from.at(c.rank), to.at(c.rank))
	}
	if exchanged(o, &from, &to) {
		schedule.Alltoallv(o.Builder(), c.ranks(), o.Block, func(i int) schedule.Part { return o.Block(from.n + i) }, schedule.Start)
	}
	return c.launch(f, o)
}

// perPeer checks the number of the what blocks of a call, which has one for each of n things of a kind.
func perPeer(o *collective.Operation, what string, blocks, n int, kind string) {
	if blocks != n {
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "%s for %s", mpierr.Plural(blocks, what+" block"), mpierr.Plural(n, kind)))
	}
}

// checked checks the blocks of an operation. It reports false if the operation has failed.
func checked(o *collective.Operation, send, recv *blocks) bool {
	if o.Err() == nil {
		send.valid(o)
		recv.valid(o)
	}
	if o.Err() == nil && !recv.loose() {
		distinct(o, send, recv)
	}
	return o.Err() == nil
}

// exchanged adds the blocks that are sent, and then those that are received, to the memory of an operation on which the
// ranks agree in pairs. It reports false if the operation has failed.
func exchanged(o *collective.Operation, send, recv *blocks) bool {
	if !o.Agree(0, 0, 0) {
		return false
	}
	send.add(o, load)
	recv.add(o, store)
	return true
}
