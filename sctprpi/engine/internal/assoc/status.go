package assoc

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	featureForward   = cookie.PartialReliability
	featureUnchecked = cookie.ZeroChecksum
	featureCredit    = cookie.StreamCredit
	featureMultipath = cookie.Multipath
	featureECN       = cookie.ECN
)

// Status returns the state of the association and what it has done.
func (a *Association) Status() socket.Status {
	s := socket.Status{
		Established:  a.state.Connected(),
		Outbound:     a.terms.outbound,
		Inbound:      a.terms.inbound,
		Interleaving: a.terms.features.Has(cookie.Interleaving),
		Silence:      a.life.silence,
		Counters: socket.Counters{
			PacketsSent: a.counted.packetsSent, PacketsReceived: a.counted.packetsReceived,
			ChunksReceived: a.counted.chunks, Duplicates: a.counted.duplicates,
			BytesReceived: a.counted.bytes,
		},
	}
	if a.in != nil {
		s.Held = a.in.Held()
	}
	for i := range a.early.messages {
		s.Queued += a.early.messages[i].Len()
	}
	if a.out != nil {
		stats := a.out.Stats()
		s.Queued, s.Outstanding = a.out.Buffered()
		s.PeerWindow = a.out.PeerWindow()
		s.ChunksSent, s.Retransmissions, s.BytesSent = stats.Chunks, stats.Retransmissions, stats.Bytes
	}
	for i := range a.paths {
		p := a.pathStatus(i)
		s.Paths = append(s.Paths, p)
		if a.out != nil {
			path := a.out.Path(tx.PathID(i))
			s.Timeouts += path.Timeouts
			s.Recoveries += path.Recoveries
			s.Marks += path.Marks
		}
	}
	return s
}

func (a *Association) pathStatus(i int) socket.PathStatus {
	p := &a.paths[i]
	s := socket.PathStatus{
		Addr: a.addr(i), Primary: i == a.primary, Up: p.up(), Confirmed: p.confirmed,
		MTU: p.search.MTU(),
	}
	if a.out != nil {
		path := a.out.Path(tx.PathID(i))
		s.Window, s.Flight, s.SRTT, s.RTO = path.Window, path.Flight, path.SRTT, path.RTO
		s.Markable = a.out.ECN(tx.PathID(i))
	}
	return s
}
