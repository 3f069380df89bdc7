package core

import (
	"context"
	"runtime/metrics"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/stats"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// tellStatistics tells the launcher what the process has counted, while it still has its connections. A launcher that does not
// take it changes nothing.
func (p *process) tellStatistics(ctx context.Context) {
	r := stats.Rank{Elapsed: time.Since(p.begun), Collector: collecting()}
	r.Processor, r.Memory = consumption()
	s := p.transport.Pending()
	r.Traffic, r.MostUnexpected = traffic(&s), s.MostUnexpected
	if s.Lengths != nil {
		for kind, to := range map[int]*stats.Lengths{rpi.PointToPoint: &r.PointToPoint, rpi.Collective: &r.Collective} {
			to.Sent, to.Received = stats.Counted(s.Lengths[kind].Sent[:]), stats.Counted(s.Lengths[kind].Received[:])
		}
	}
	u := p.usage()
	if t, ok := bare(p.transport).(rpi.Timed); ok {
		if times := t.WaitTimes(); times != nil {
			r.Waits = stats.Counted(times[:])
		}
	}
	r.Waited, r.SystemCalls, r.Sockets, r.Chunks, r.Resent, r.Streams = u.Waited, u.SystemCalls, u.Sockets, u.Chunks, u.Resent, u.Streams
	ctx, cancel := context.WithTimeout(ctx, partingTime)
	defer cancel()
	_ = p.launcher.Answer(ctx, r.Encode())
}

// traffic is what a snapshot says of it.
func traffic(s *rpi.Snapshot) stats.Traffic {
	return stats.Traffic{Sent: s.MessagesSent, Received: s.MessagesReceived, BytesSent: s.BytesSent, BytesReceived: s.BytesReceived}
}

// collecting is the time of processors that Go's runtime has used to collect garbage, up to the end of the last collection.
func collecting() time.Duration {
	sample := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return time.Duration(sample[0].Value.Float64() * float64(time.Second))
}
