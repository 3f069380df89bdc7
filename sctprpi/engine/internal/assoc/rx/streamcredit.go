package rx

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/streams"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// credit is what a stream's sender has to know, if it keeps to Config.StreamLimit or
// Config.StreamPool.
type credit struct {
	// These are sums of charges since the stream began. They wrap. read: of data that has been read, or given up.
	// granted: the value of read that the peer was last told. received: of data that has arrived; it is kept only if
	// there is a pool.
	read, granted, received uint32
	// fresh is the charge of data that the reader may still put back. It is not in read yet.
	fresh uint32
	// share is what the stream has taken of the pool, as far as is known here.
	share streams.Share
	// due is the stream's place in Reassembly.due, untold that in Reassembly.untold.
	due, untold list.Link[stream]
	// unsettled is the stream's place in Reassembly.fresh.
	unsettled list.Link[stream]
}

// receivedBy notes that chunks of a stream with a charge have been given to the reader. With a pool
// they count as read when it comes for more: until then it may put them back, and a peer that had
// been told would already have sent what takes their place.
func (r *Reassembly) receivedBy(s *stream, charge uint32) {
	if !r.pool.On() {
		r.credits(s, charge)
		return
	}
	s.credited().fresh += charge
	r.fresh.Push(s, &s.credit.unsettled)
}

// Settle notes that the reader has come for more: it puts nothing back that it has got before.
func (r *Reassembly) Settle() {
	for !r.fresh.Empty() {
		s := r.fresh.Pop()
		charge := s.credit.fresh
		s.credit.fresh = 0
		r.credits(s, charge)
	}
}

// Settled reports whether Settle would do nothing.
func (r *Reassembly) Settled() bool { return r.fresh.Empty() }

// credits notes that chunks of a stream with a charge are not held any more. The peer
// is told when that makes half of the limit: seldom, and soon enough for a reader that
// keeps up never to make it wait for more than a round trip. With a pool the limit is what
// the peer may have unread now, and if the pool is scarce it is told at once.
func (r *Reassembly) credits(s *stream, charge uint32) {
	limit := r.config.StreamLimit
	if !r.config.Credit || charge == 0 {
		return
	}
	c := s.credited()
	c.read += charge
	if r.pool.On() {
		limit = r.pool.Allowance(&c.share)
	}
	if c.read-c.granted >= uint32(max(limit/2, 1)) || r.pool.Scarce() {
		r.tell(s)
	} else if r.pool.On() {
		r.untold.Push(s, &c.untold)
	}
}

// received notes that chunks of a stream with a charge have arrived. The pool may become so scarce
// by it that the peer waits for what has been read of any stream.
func (r *Reassembly) received(s *stream, charge uint32) {
	if !r.pool.On() {
		return
	}
	c := s.credited()
	c.received += charge
	r.pool.Set(&c.share, int(c.received-c.granted), c.share.Read)
	if r.pool.Scarce() {
		for s := r.untold.First(); s != nil; s = r.untold.First() {
			r.tell(s)
		}
	}
}

// tell has the peer told how much of a stream has been read.
func (r *Reassembly) tell(s *stream) {
	r.untold.Remove(&s.credit.untold)
	r.due.Push(s, &s.credit.due)
}

func (s *stream) credited() *credit {
	if s.credit == nil {
		s.credit = new(credit)
	}
	return s.credit
}

// uncredit takes back that a chunk of a stream has been read, as far as the peer has not
// been told, and returns what of its charge that is.
func (r *Reassembly) uncredit(s *stream, charge uint32) uint32 {
	c := s.credit
	if c == nil {
		return 0
	}
	fresh := min(charge, c.fresh)
	c.fresh -= fresh
	rest := min(charge-fresh, c.read-c.granted)
	c.read -= rest
	return fresh + rest
}

// Blocked notes that the peer waits until more is read of streams than it knows to
// have been read. It is told if there is more. If one of them does not exist, or the
// peer knows of more than it has been told, nothing is changed and the error is
// ErrCreditStream or ErrCreditUntold.
func (r *Reassembly) Blocked(offsets wire.StreamOffsets) error {
	for o := range offsets.All() {
		if !r.streams.Has(o.Stream) {
			return ErrCreditStream
		}
		granted := uint32(0)
		if s := r.streams.Get(o.Stream); s != nil && s.credit != nil {
			granted = s.credit.granted
		}
		if int32(o.Offset-granted) > 0 {
			return ErrCreditUntold
		}
	}
	for o := range offsets.All() {
		if s := r.streams.Get(o.Stream); s != nil && s.credit != nil && s.credit.read != o.Offset {
			r.tell(s)
		}
	}
	return nil
}

// CreditDue reports whether the peer is to be told of streams that have been read.
func (r *Reassembly) CreditDue() bool { return !r.due.Empty() }

// AppendCredits appends to a list at most n streams with how much of them has been
// read, and takes the peer as told.
func (r *Reassembly) AppendCredits(offsets wire.StreamOffsets, n int) wire.StreamOffsets {
	for ; n > 0 && !r.due.Empty(); n-- {
		s := r.due.Pop()
		c := s.credit
		read := c.share.Read || c.read != c.granted
		c.granted = c.read
		if r.pool.On() {
			r.pool.Set(&c.share, int(c.received-c.granted), read)
		}
		offsets = offsets.Append(wire.StreamOffset{Stream: s.id, Offset: c.read})
	}
	return offsets
}
