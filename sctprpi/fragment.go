package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
)

// gatherBodies takes a fragment of each long message in turn, as far as the allowance
// goes.
func (t *Transport) gatherBodies(p *peer, b *batch) {
	for p.turns.head != nil && b.n < batchMessages && b.bodies < batchBodies {
		x := p.turns.head
		size := min(len(x.frame.Body)-x.sent, t.pieceSize(p))
		if p.held > 0 && p.held+size > p.allowance {
			if b.n > 0 { // the next turn waits for the acknowledgement
				b.messages[b.n-1].Immediate = true
			}
			return
		}
		p.turns.pop()
		b.addZeroCopy(x.frame, t.fragment(p, x, size), x.stream)
		if x.sent < len(x.frame.Body) {
			p.turns.push(x)
		}
	}
}

// pieceSize is how much of a long message is one SCTP message, in bytes. With interleaving the
// socket takes turns itself; then a piece is so large that a few long messages share the budget.
func (t *Transport) pieceSize(p *peer) int {
	if p.Interleaves() {
		return t.budget / 8
	}
	return fragmentSize
}

// fragment makes the message for the next size bytes of a body.
func (t *Transport) fragment(p *peer, x *transfer, size int) *zeroCopy {
	l := t.pools.zeroCopies.Take()
	l.peer, l.transfer, l.size = p, x, size
	header.Append(l.header[:0], &header.Header{
		Kind: header.Body, RecvID: x.recvID, Offset: uint64(x.sent), Length: uint64(size),
	})
	l.list = [2][]byte{l.header[:], x.frame.Body[x.sent : x.sent+size]}
	x.sent += size
	x.pending++
	p.held += size
	return l
}

// undoFragment undoes a fragment that the socket has not taken. Fragments are undone from the last
// to the first. The transfer is first in turn again.
func (t *Transport) undoFragment(l *zeroCopy) {
	p, x := l.peer, l.transfer
	x.sent -= l.size
	if !x.turn {
		x.turn, x.next = true, p.turns.head
		if p.turns.head = x; p.turns.tail == nil {
			p.turns.tail = x
		}
	}
	t.endZeroCopy(l)
}
