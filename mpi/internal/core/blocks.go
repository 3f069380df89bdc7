package core

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// blocks are what a rank sends to n others, or receives from them: parts of a buffer, or buffers of their own. Each is of a type
// on which its sender and its receiver agree alone.
type blocks struct {
	n      int
	peers  []int32 // nil: all ranks. A negative one is none, and its block is not touched
	buffer Buffer
	each   int      // elements of each part
	counts []int    // instead, if they are not equal, with displs
	displs []int    // nil: the parts follow each other
	list   []Buffer // instead of parts. One without a type is nothing
	same   bool     // each is the whole buffer
	copied bool     // what is sent is a copy, as it may be received into
}

// evenly is the parts of a buffer that is cut into as many as there are peers.
func evenly(buffer Buffer, peers []int32) blocks {
	return blocks{n: len(peers), peers: peers, buffer: buffer, each: buffer.Count / max(len(peers), 1)}
}

// laidOut is the parts that a layout, which has been resolved, has in a buffer.
func laidOut(buffer Buffer, l Layout, peers []int32) blocks {
	return blocks{n: len(peers), peers: peers, buffer: buffer, counts: l.Counts, displs: l.Displs}
}

// at is block i.
func (b *blocks) at(i int) Buffer {
	switch {
	case b.peers != nil && b.peers[i] < 0, b.list != nil && b.list[i].Type == nil:
		return Buffer{Type: noType}
	case b.list != nil:
		return b.list[i]
	case b.same:
		return b.buffer
	case b.counts != nil:
		return b.buffer.section(b.displs[i], b.counts[i])
	}
	return b.buffer.section(i*b.each, b.each)
}

// add adds the blocks to the memory of an operation.
func (b *blocks) add(o *collective.Operation, u use) {
	var all []byte // of each block, if all are the same
	if b.same {
		all = memory(o, b.buffer, u)
	}
	for i := range b.n {
		block := b.at(i)
		bytes := all
		switch {
		case b.copied && block.Len() > 0:
			bytes = imaged(o, block, u)
		case !b.same || block.Count == 0:
			bytes = memory(o, block, u)
		}
		o.AddBlock(bytes, elements(block.Type))
	}
}

// valid checks the blocks.
func (b *blocks) valid(o *collective.Operation) {
	for i := range b.n {
		o.Require(b.at(i).wrong(o.Op()))
	}
}

// loose reports whether any block is of a loose type: then they may overlap, as the parts of a Layout.
func (b *blocks) loose() bool {
	for i := range b.n {
		if b.at(i).Type.Loose() {
			return true
		}
	}
	return false
}

// toSelf checks a block that this rank sends itself, and where it receives it.
func toSelf(o *collective.Operation, out, in Buffer) {
	switch {
	case out.Len() > 0 && in.Len() > 0 && !out.Type.Alike(in.Type):
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrType, "this rank sends itself elements of %s, but expects %s", out.Type.Name(), in.Type.Name()))
	case out.Len() != in.Len():
		o.Require(mpierr.Invalid(o.Op(), rpi.ErrCount, "this rank sends itself %s, but expects %d", mpierr.Plural(out.items(), "element"), in.items()))
	}
}

// distinct checks that no block that is received shares memory with another one. Blocks that are not one piece of memory may lie
// between each other, and are not checked; nor are those of loose types, of which only lengths are.
func distinct(o *collective.Operation, send, recv *blocks) {
	var some [32]span
	all := some[:0]
	for i := range send.n {
		if !send.copied {
			all = appendSpan(all, send.at(i), i, false)
		}
	}
	for i := range recv.n {
		all = appendSpan(all, recv.at(i), i, true)
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var sent, received span // those that end last
	for _, s := range all {
		switch {
		case s.from < received.to:
			o.Require(shared(o.Op(), received, s))
			return
		case s.received && s.from < sent.to:
			o.Require(shared(o.Op(), s, sent))
			return
		case s.received:
			received = s
		case s.to > sent.to:
			sent = s
		}
	}
}

// span is the memory of a block.
type span struct {
	from, to uintptr
	number   int
	received bool
}

func appendSpan(all []span, b Buffer, number int, received bool) []span {
	piece, ok := b.Piece()
	if !ok || len(piece) == 0 || b.Type.Loose() {
		return all
	}
	from := uintptr(unsafe.Pointer(&piece[0]))
	return append(all, span{from, from + uintptr(len(piece)), number, received})
}

// shared is the error of a block that is received where another one is.
func shared(op string, s, other span) *mpierr.Error {
	if other.received {
		return mpierr.Invalid(op, rpi.ErrBuffer, "the receive blocks %d and %d overlap", min(s.number, other.number), max(s.number, other.number))
	}
	return mpierr.Invalid(op, rpi.ErrBuffer, "the receive block %d and the send block %d overlap", s.number, other.number)
}
