package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// notification is explicit congestion notification, if both ends have agreed on it ([RFC 4960, appendix A]): marks that arrive are echoed
// with each SACK chunk until the peer says that it has slowed down, and echoes of the peer's are answered.
//
// [RFC 4960, appendix A]: https://www.rfc-editor.org/rfc/rfc4960#appendix-A
type notification struct {
	// marked: the packet at hand has a mark that has not been noted yet.
	marked bool
	// echoing: the peer has not answered the mark of the packet whose lowest TSN was lowest, the last marked one.
	echoing bool
	lowest  wire.TSN
	// answering: a CWR chunk is to be sent, for an ECNE chunk with that TSN. Until quiet the next is not: the peer echoes on until it has
	// heard this one.
	answering bool
	answered  wire.TSN
	quiet     time.Duration
}

// noteMark notes the mark of the packet at hand, whose first chunk of data has a TSN. The peer is told at once of the first.
func (a *Association) noteMark(tsn wire.TSN) {
	n := &a.ecn
	n.marked = false
	if !n.echoing {
		a.tracker.Refuse() // not delayed
		n.echoing, n.lowest = true, tsn
	} else if n.lowest.Less(tsn) {
		n.lowest = tsn
	}
}

// echoSize is what an ECNE chunk takes of a packet beside a SACK chunk.
func (a *Association) echoSize() int {
	if a.ecn.echoing {
		return wire.ECNESize
	}
	return 0
}

// congestion handles an ECNE or CWR chunk.
func (a *Association) congestion(now time.Duration, from int, c wire.Chunk) {
	if !a.state.Connected() {
		return
	}
	n := &a.ecn
	parse := wire.ParseECNE
	if c.Type == wire.TypeCWR {
		parse = wire.ParseCWR
	}
	switch tsn, err := parse(c); {
	case err != nil:
		a.fail(from, err)
	case c.Type == wire.TypeCWR:
		n.echoing = n.echoing && tsn.Less(n.lowest)
	case a.out.Marked(now, tsn) && now >= n.quiet:
		n.answering, n.answered = true, tsn
		n.quiet = now + a.out.Path(tx.PathID(a.dataPath())).SRTT
	}
}

// queueAnswer queues a CWR chunk if one is to be sent.
func (a *Association) queueAnswer() {
	if a.ecn.answering {
		a.ecn.answering = false
		a.accompany(a.dataPath(), func(b []byte) []byte { return wire.AppendCWR(b, a.ecn.answered) })
	}
}
