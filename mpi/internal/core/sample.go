package core

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/stats"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// sample says how the process does, for a launcher whose user looks at the job. All of it is found out now: nothing is counted for it
// that is not counted anyway.
func (p *process) sample() stats.Sample {
	s := stats.Sample{Hang: p.report(), Elapsed: time.Since(p.begun)}
	var most uint64
	s.Processor, most = consumption()
	if s.Memory = memoryNow(); s.Memory == 0 {
		s.Memory = most
	}
	pending := p.transport.Pending()
	s.Traffic = traffic(&pending)
	if l := pending.Lengths; l != nil {
		sent, received := l[rpi.PointToPoint].Sent, l[rpi.PointToPoint].Received
		for place := range sent {
			sent[place] += l[rpi.Collective].Sent[place]
			received[place] += l[rpi.Collective].Received[place]
		}
		s.Lengths = &stats.Lengths{Sent: stats.Counted(sent[:]), Received: stats.Counted(received[:])}
	}
	s.Unexpected = unexpected(&pending)
	if t, ok := bare(p.transport).(rpi.Surveyed); ok {
		for _, path := range t.Paths() {
			s.Peers = append(s.Peers, stats.Peer{Rank: int(path.Peer), RoundTrip: path.RoundTrip, Resent: path.Resent})
			s.Resent += path.Resent
		}
	}
	for _, peer := range p.suspected() {
		s.Suspected = append(s.Suspected, int(peer))
	}
	return s
}

// unexpected is how many messages no receive has taken.
func unexpected(s *rpi.Snapshot) int {
	n := s.MoreUnexpected
	for _, u := range s.Unexpected {
		n += u.Messages
	}
	return n
}
