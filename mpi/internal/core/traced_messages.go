package core

import (
	"encoding/binary"
	"hash/fnv"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trace"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Start implements rpi.Transport. It records the message, and where an arrow to its receiver begins.
func (t *traced) Start(r *rpi.Request) {
	if r.Context&rpi.Internal != 0 {
		t.Transport.Start(r)
		return
	}
	t.sample()
	begin, track, of := time.Now(), messageTrack, "the program"
	if r.Context&collective.Messages != 0 {
		track, of = t.trackOf(r), "a collective operation"
	}
	t.recorder.Span(track, r.Op.String(), begin, begin, trace.Text("of", of), trace.Number("peer in the job", int64(r.Peer)),
		trace.Number("tag", int64(r.Tag)), trace.Number("bytes", int64(len(r.Buf))))
	if r.Context&collective.Messages != 0 {
		r.Then = &tracedStep{Continuation: r.Then, trace: t, track: track, begin: begin}
		t.Transport.Start(r)
		return
	}
	context, peer, sends := r.Context, r.Peer, r.Op == rpi.OpSend
	t.Transport.Start(r)
	if sends && !(r.Completed() && r.Err != nil) { // r is the caller's still
		t.recorder.ArrowBegins(track, t.arrow(context, t.rank, int(peer), r.Transport.Seq), begin)
	}
}

// received records that the program has got what r, which has completed, has received.
func (t *traced) received(r *rpi.Request) {
	if r.Op == rpi.OpRecv && r.Peer != procNull && r.Context&rpi.Internal == 0 {
		t.got(r, messageTrack)
	}
}

// got records that r has received something, unless it has not, and where its arrow ends.
func (t *traced) got(r *rpi.Request, track int) {
	if r.Err != nil || r.Status.Cancelled {
		return
	}
	now := time.Now()
	t.recorder.Span(track, "received", now, now, trace.Number("peer in the job", int64(r.Status.Source)),
		trace.Number("tag", int64(r.Status.Tag)), trace.Number("bytes", int64(r.Status.Length)))
	t.recorder.ArrowEnds(track, t.arrow(r.Context, int(r.Status.Source), t.rank, r.Transport.Seq), now)
}

// arrow is the number of the arrow of a message: the same at both ends, and no other's.
func (t *traced) arrow(c matching.Context, from, to int, number matching.Seq) uint64 {
	hash := fnv.New64a()
	var b [32]byte
	for i, v := range [...]uint64{uint64(c), uint64(from), uint64(to), uint64(number)} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	_, _ = hash.Write(b[:])
	return hash.Sum64()
}

// tracedStep follows a message of a collective operation.
type tracedStep struct {
	rpi.Continuation
	trace *traced
	track int
	begin time.Time
}

// Completed implements rpi.Continuation.
func (s *tracedStep) Completed(r *rpi.Request) {
	switch t := s.trace; {
	case r.Op == rpi.OpRecv:
		t.got(r, s.track)
	case r.Err == nil && !r.Status.Cancelled:
		t.recorder.ArrowBegins(s.track, t.arrow(r.Context, t.rank, int(r.Peer), r.Transport.Seq), s.begin)
	}
	s.Continuation.Completed(r)
}

// call is a collective operation under way, by the context and the tag of its messages.
type call struct {
	context matching.Context
	tag     matching.Tag
}

// trackOf is the track of the collective operation that a message is of, or that of messages if it has none.
func (t *traced) trackOf(r *rpi.Request) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.calls[call{r.Context, r.Tag}]
}

// collective has a collective operation, which is about to start, recorded as a span in which its messages are.
func (t *traced) collective(o *collective.Operation) {
	var of call
	of.context, of.tag = o.Messages()
	name, begin, track, then := exportedOp(o.Op()), time.Now(), t.enter(&t.collectives), o.Then
	t.mu.Lock()
	t.calls[of] = track
	t.mu.Unlock()
	o.Then = func(failed bool) {
		o.Then = then
		t.mu.Lock()
		delete(t.calls, of)
		t.mu.Unlock()
		t.recorder.Span(track, name, begin, time.Now(), trace.Number("call", int64(of.tag)+1))
		t.leave(&t.collectives, track)
		if then != nil {
			then(failed)
		}
	}
}

// exportedOp is the name of a function without its package.
func exportedOp(op string) string { return op[strings.LastIndexAny(op, "._")+1:] }

// sampleEvery is how often the counters of a trace are recorded at most.
const sampleEvery = 100 * time.Millisecond

// sample records the counters, unless that has been done just before. No lock of the transport is held.
func (t *traced) sample() {
	now, last := time.Now(), t.sampled.Load()
	if now.UnixNano()-last < int64(sampleEvery) || !t.sampled.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s := t.Transport.Pending()
	t.recorder.Counter("messages sent", now, int64(s.MessagesSent))
	t.recorder.Counter("bytes sent", now, int64(s.BytesSent))
	t.recorder.Counter("unexpected messages", now, int64(unexpected(&s)))
	if memory := memoryNow(); memory > 0 {
		t.recorder.Counter("memory in bytes", now, int64(memory))
	}
}
