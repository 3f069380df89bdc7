package core

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// notices is a context of the communicator, beside its others, for messages of a
// collective call that are not part of its algorithm: alarms, and questions.
const notices = rpi.InOrder | rpi.Internal

// state is a bit in the type of a notice, in place of alarm. It says that the
// sender is or was in the call whose mark is the rest of the type. The notice is a
// question, from a rank that waits for the receiver, or the answer of a rank that
// is in a later call.
const state matching.Type = 1 << 30

// A notice with state has one of these where an alarm has the class of its error.
const (
	question rpi.Class = 1 + iota
	answer
)

// post is where a communicator gets notices. A receive for them is always
// there; when it completes it wakes the collective call that waits.
type post struct {
	receive *rpi.Request // nil in a communicator of one
	waiter  *rpi.Waiter
	waiting atomic.Pointer[rpi.Waiter] // that of the call, if it waits
	asks    atomic.Bool                // the call should ask the ranks that it waits for
	// The following belong to the call that is under way.
	early []notice
	marks [64]matching.Type // of the last calls, by their numbers
}

// notice is a notice that has come.
type notice struct {
	tag    matching.Tag
	word   matching.Type
	status rpi.Status
}

// maxEarly bounds the notices that are kept for later calls. More of them stay in
// the transport, within its bounds.
const maxEarly = 64

func (p *post) open(c *Comm) {
	if c.group.size == 1 {
		return
	}
	wake := func() {
		if w := p.waiting.Load(); w != nil {
			w.Signal()
		}
	}
	p.receive, p.waiter = new(rpi.Request), rpi.NewWaiter()
	p.waiter.Interrupt(&wake)
	p.listen(c)
	c.process.watch.add(c)
}

func (p *post) listen(c *Comm) {
	r := p.receive
	r.Op, r.Context, r.Peer, r.Tag = rpi.OpRecv, c.context|notices, matching.AnySource, matching.AnyTag
	r.Subscribe(p.waiter)
	c.process.transport.Start(r)
}

func (p *post) close(c *Comm) {
	if p.receive == nil {
		return
	}
	c.process.watch.remove(c)
	if !p.receive.Completed() {
		c.process.transport.Cancel(p.receive)
	}
}

// ring sends a notice about a call, and does not wait until it has left. An
// alarm has one element, of as many bytes as the number of its class.
func (c *Comm) ring(context matching.Context, to matching.Rank, tag matching.Tag, word matching.Type, class rpi.Class) {
	n := min(max(int(class), 1), len(noticeBody))
	c.process.transport.Start(&rpi.Request{
		Op: rpi.OpSend, Context: c.context | context, Peer: to, Tag: tag, Type: word, Elem: uint16(n), Buf: noticeBody[:n],
	})
}

var noticeBody [64]byte

// alarmed reports whether the call has failed by notices that have come.
func (k *call) alarmed() bool {
	p := &k.comm.post
	if p.receive == nil || len(p.early) == 0 && !p.receive.Completed() {
		return k.err != nil
	}
	k.collect()
	p.early = slices.DeleteFunc(p.early, func(n notice) bool {
		if n.tag == k.tag {
			k.handle(n)
		}
		return n.tag == k.tag
	})
	return k.err != nil
}

// handle handles a notice about this call: an alarm fails it, and a mark of another
// call shows that the ranks disagree.
func (k *call) handle(n notice) {
	theirs := n.word &^ (alarm | disagree)
	switch {
	case k.err != nil:
	case n.word&alarm != 0:
		k.told = true
		k.unusable(n.word, n.status)
	case !alike(theirs, k.mark):
		k.err = k.difference(theirs, n.status)
		k.tellAll(disagree)
	}
}

// collect takes the notices that have come. It keeps those about this call and
// later ones.
func (k *call) collect() {
	p := &k.comm.post
	for len(p.early) < maxEarly && p.receive.Completed() {
		r := p.receive
		var other *rpi.TypeError
		if !errors.As(r.Err, &other) {
			return // all others are gone, or this process is
		}
		n := notice{r.Status.Tag, other.Sent, r.Status}
		switch behind := uint32(k.tag-n.tag) & MaxTag; {
		case behind == 0 || behind > MaxTag/2:
			if !slices.Contains(p.early, n) { // questions are repeated
				p.early = append(p.early, n)
			}
		case behind < uint32(len(p.marks)) && k.routine == opFinalize && n.word&alarm != 0 && routineOf(n.word) == opFinalize:
			k.require(k.other(n.status.Source, opFinalize, routineOf(p.marks[int(n.tag)%len(p.marks)])))
		case n.word&alarm == 0 && rpi.Class(n.status.Elem) == question && behind < uint32(len(p.marks)):
			k.answer(n)
		}
		r.Reset()
		p.listen(k.comm)
	}
}

// answer answers the question of a rank that waits for this one in an earlier
// call. There is an answer only if this rank's call with that number was another
// one: then the rank waits in vain.
func (k *call) answer(n notice) {
	mine := k.comm.post.marks[int(n.tag)%len(k.comm.post.marks)]
	if !alike(n.word&^state, mine) {
		k.comm.ring(notices, n.status.Source, n.tag, state|mine, answer)
	}
}

// alike reports whether two marks are of the same call.
func alike(a, b matching.Type) bool {
	return a == b || (a^b)&^rpi.Optional == 0 && (a&rpi.Optional == 0 || b&rpi.Optional == 0)
}
