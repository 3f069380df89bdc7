package core

import (
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Some processes of a communicator agree on something by messages in a context of its own, which the program does not see, and
// with a tag of the program's. So nothing that the program or collective operations send can be taken for them.

// ballot is such a message: up a tree of the group what the rank and those under it wish, down again what has been decided.
type ballot struct {
	Context matching.Context // of the new communicator, on the way down
	Sum     uint64           // must be equal on all
	Failed  uint64           // see process.word
}

// agree returns a context that is new to all processes of a group of the communicator, this one among them. All of them
// call it with the same group, tag and sum. If one of them cannot go on all others fail too. refusal is why this one cannot, nil if it
// can.
func (c *View) agree(op string, g *group.Group, tag int, sum uint64, refusal error) (matching.Context, error) {
	me, size := g.Rank(matching.Rank(c.process.rank)), g.Size()
	var failure error
	b := ballot{Sum: sum}
	fail := func(err error) {
		if failure == nil && err != nil {
			failure, b.Failed = err, c.process.word(err)
		}
	}
	exchange := func(r rpi.Op, with int, m *ballot) {
		if err := c.pass(op, r, g.Member(with), tag, Of(ballotType, unsafe.Slice(m, 1))); err != nil {
			fail(err)
			if c.ctx.Err() != nil {
				c.leaveTo(r, g.Member(with), tag, Of(ballotType, []ballot{*m}))
			}
		} else if r == rpi.OpRecv {
			fail(c.differing(op, g.Member(with), m, sum))
		}
	}
	fail(refusal)
	if err := c.process.full(op); err != nil {
		fail(err)
	}
	children := func(yield func(int)) {
		for bit := 1; me&bit == 0 && me+bit < size; bit *= 2 {
			yield(me + bit)
		}
	}
	children(func(child int) {
		var got ballot
		exchange(rpi.OpRecv, child, &got)
	})
	if me != 0 {
		parent := me & (me - 1)
		exchange(rpi.OpSend, parent, &b)
		var got ballot
		exchange(rpi.OpRecv, parent, &got)
		b.Context = got.Context
	} else {
		b.Context = c.process.newContext()
	}
	children(func(child int) { exchange(rpi.OpSend, child, &b) })
	return b.Context, failure
}

// leaveTo has a message sent, or received, for which this rank does not wait any longer: others wait for what it sends, and what
// they send must not be taken for a message of the next call. The memory of a receive is not used any more afterwards.
func (c *View) leaveTo(what rpi.Op, with matching.Rank, tag int, b Buffer) {
	r := c.unseen(what, with, tag, b) // no other operation uses it again, as it may be under way for long
	r.Mode = rpi.Buffered
	c.start(r)
}

// differing is the error that a ballot means.
func (c *View) differing(op string, from matching.Rank, m *ballot, sum uint64) error {
	switch {
	case m.Failed != 0:
		return c.toldBy(op, from, m.Failed)
	case m.Sum != sum:
		return mpierr.Invalid(op, rpi.ErrArg, "%s passes other arguments than this rank", c.name(from)).About(c.rankOf(from))
	}
	return nil
}

// pass sends or receives a message that the program does not see, and waits for it.
func (c *View) pass(op string, what rpi.Op, with matching.Rank, tag int, b Buffer) error {
	r := c.unseen(what, with, tag, b)
	defer recycle(r)
	_, err := c.run(op, r)
	return err
}

// unseen is a request, for recycle, for a message that the program does not see.
func (c *View) unseen(what rpi.Op, with matching.Rank, tag int, b Buffer) *rpi.Request {
	r := newOperation()
	r.Op, r.Context, r.Peer, r.Tag = what, c.context|rpi.Internal, with, matching.Tag(tag)
	attach(r, b)
	return r
}

var ballotType = datatype.OfGo(reflect.TypeFor[ballot]())
