package collective

import (
	"errors"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// step is a message of an operation that is under way.
type step struct {
	rpi.Request
	operation *Operation
	index     int32
	next      *step // in Operation.completed
}

// Completed implements rpi.Continuation.
func (s *step) Completed(*rpi.Request) {
	o := s.operation
	o.mu.Lock()
	defer o.mu.Unlock()
	s.next, o.completed = o.completed, s
	o.wake()
}

// Whole implements rpi.Continuation.
func (s *step) Whole() *rpi.Request { return &s.operation.whole }

// prepare makes the schedule ready to run. There is none if the operation has failed.
func (o *Operation) prepare() {
	o.waits, o.ready, o.held = o.waits[:0], o.ready[:0], o.held[:0]
	o.left, o.underWay = 0, 0
	if o.err != nil {
		return
	}
	if o.short.memory != nil {
		o.schedule, o.left, o.requests = &guarding, 1, o.requests[:0]
		return
	}
	if !o.kept {
		o.schedule = o.builder.Schedule()
	}
	steps := o.schedule.Steps
	o.left = len(steps)
	for i := range steps {
		waits := steps[i].Waits
		if steps[i].Behind {
			waits++
		}
		o.waits = append(o.waits, waits)
		if waits == 0 {
			o.ready = append(o.ready, int32(i))
		}
	}
	if n := len(steps); cap(o.requests) < n {
		o.requests = make([]*step, n)
	} else {
		o.requests = o.requests[:n]
	}
	if words := (o.schedule.Scratch + 7) / 8; cap(o.scratch) < words {
		o.scratch = make([]uint64, words)
	}
}

// memory is the memory of a part.
func (o *Operation) memory(p schedule.Part) []byte {
	if p.Length == 0 {
		return nil
	}
	var b []byte
	switch p.Buffer {
	case schedule.In:
		b = o.In
	case schedule.Out:
		b = o.Out
	case schedule.Scratch:
		b = bytesOf(o.scratch)[:o.schedule.Scratch]
	default:
		b = o.blocks[p.Buffer-schedule.Blocks].memory
	}
	return b[p.Offset : p.Offset+p.Length : p.Offset+p.Length]
}

// bytesOf is the memory of words, with their capacity.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*cap(words))
}

// Run implements rpi.Runner.
func (o *Operation) Run(inCall bool) {
	o.mu.Lock()
	parked := inCall && o.parked
	if inCall {
		o.parked = false
	}
	if o.state != queued && !(o.state == idle && parked) {
		o.mu.Unlock()
		return // another goroutine runs it, or has
	}
	o.state = running
	o.mu.Unlock()
	o.progress(inCall)
}

// progress does what can be done, until nothing is left to do before something happens.
func (o *Operation) progress(inCall bool) {
	for {
		o.perform(inCall)
		o.mu.Lock()
		completed, notices, cause, came, asks := o.completed, o.notices, o.cause, o.came, o.asks
		o.completed, o.notices, o.cause, o.came, o.asks = nil, nil, nil, false, false
		if completed == nil && len(notices) == 0 && cause == nil && !came && !asks {
			o.rest(inCall)
			return
		}
		o.mu.Unlock()
		failed := o.err != nil
		if came {
			o.unwatch()
		}
		lost := o.takeAll(completed, true)
		for _, n := range notices {
			o.handle(n)
		}
		o.takeAll(lost, false)
		if cause != nil && o.err == nil {
			o.err = o.space.comm.GivenUp(o.op, o.some(), cause)
		}
		switch {
		case o.err != nil && !failed:
			o.abandon()
		case asks && o.err == nil:
			o.askPeers()
		}
	}
}

// rest ends progress: nothing is left to do now.
func (o *Operation) rest(inCall bool) {
	if o.underWay == 0 && (o.err != nil || o.left == 0) {
		o.state = ended
		o.mu.Unlock()
		o.end()
		return
	}
	o.state = idle
	park := len(o.held) > 0 && o.err == nil && !o.parked
	o.parked = o.parked || park
	c := o.space.process.Continuations
	o.mu.Unlock()
	if park {
		c.AddInCall(o)
	}
}

// end ends the operation. Afterwards it belongs to its caller again.
func (o *Operation) end() {
	if o.err == nil && o.Images != nil {
		o.Images.Store()
	}
	if o.short.memory != nil {
		o.endShort()
	}
	o.space.leave(o)
	if o.Then != nil {
		o.Then(o.err != nil)
	}
	if o.err != nil {
		o.whole.Complete(o.err)
		return
	}
	o.whole.Complete(nil)
}

// perform takes the steps that are ready.
func (o *Operation) perform(inCall bool) {
	if o.short.memory != nil {
		if inCall {
			o.held = o.held[:0]
		}
		o.meet(inCall)
		return
	}
	if inCall && len(o.held) > 0 {
		o.ready = append(o.ready, o.held...)
		o.held = o.held[:0]
	}
	for first := 0; first < len(o.ready); first++ {
		if o.err != nil {
			break
		}
		i := o.ready[first]
		st := &o.schedule.Steps[i]
		switch st.Kind {
		case schedule.Send, schedule.Recv:
			o.start(i, st)
			continue
		case schedule.Copy:
			copy(o.memory(st.A), o.memory(st.B))
		case schedule.Combine:
			if !inCall && !o.Safe {
				o.held = append(o.held, i)
				continue
			}
			o.Combine(o.memory(st.A), o.memory(st.B))
		case schedule.Call:
			o.Call()
		}
		o.finished(i)
	}
	o.ready = o.ready[:0]
}

// finished notes that a step is complete.
func (o *Operation) finished(i int32) {
	o.left--
	for _, next := range o.schedule.Next(int(i)) {
		o.release(next)
	}
}

// release notes that one of the things that step i waits for has come.
func (o *Operation) release(i int32) {
	if o.waits[i]--; o.waits[i] == 0 {
		o.ready = append(o.ready, i)
	}
}

// newStep returns a receive from a peer, without a buffer, as the message of step i.
func (o *Operation) newStep(i int32, peer matching.Rank) *step {
	s, ok := o.space.process.steps.Get().(*step)
	if !ok {
		s = new(step)
	}
	s.operation, s.index = o, i
	s.Op, s.Context, s.Tag, s.Peer, s.Matcher, s.Then = rpi.OpRecv, o.space.context|Messages, o.tag, peer, s, s
	return s
}

// put gives a step back, whose message has its outcome.
func (o *Operation) put(s *step) {
	s.Reset()
	s.operation = nil
	o.space.process.steps.Put(s)
}

// begun marks a step that has been started.
const begun = -1

// start starts the message of step i, and then the next one between the same ranks may start.
func (o *Operation) start(i int32, st *schedule.Step) {
	s := o.newStep(i, o.space.comm.JobRank(int(st.Peer)))
	// Pieces of a vector need not be whole elements, so its messages consist of bytes.
	mark, _ := o.typeOf(st)
	s.Type, s.Elem, s.Buf = mark, 1, o.memory(st.A)
	if st.Kind == schedule.Send {
		s.Op, s.OpenTags = rpi.OpSend, o.space.openBefore(o.tag)
	}
	o.waits[i] = begun
	o.requests[i] = s
	o.underWay++
	o.space.process.Transport.Start(&s.Request)
	if st.Follow > 0 {
		o.release(st.Follow)
	}
}

// takeAll takes the outcomes of messages. It keeps back, and returns, those that failed as their peer is gone, if they are to wait: what
// that peer has said before, that the call has failed, comes first.
func (o *Operation) takeAll(completed *step, wait bool) (lost *step) {
	for s := completed; s != nil; {
		next := s.next
		if _, gone := errors.AsType[*rpi.PeerError](s.Err); wait && gone {
			s.next, lost = lost, s
		} else {
			o.take(s)
		}
		s = next
	}
	return lost
}

// take takes the outcome of a message.
func (o *Operation) take(s *step) {
	if o.short.memory != nil {
		o.takeGuard(s)
		return
	}
	i := s.index
	o.requests[i] = nil
	o.underWay--
	if o.err == nil {
		o.fail(&s.Request, &o.schedule.Steps[i])
	}
	if s.Op == rpi.OpSend && s.Status.Cancelled { // the peer still expects the message
		o.raise(s.Peer)
	}
	o.put(s)
	if o.err == nil {
		o.finished(i)
	}
}

// some is a message that the operation waits for, for its errors.
func (o *Operation) some() *rpi.Request {
	for _, s := range o.requests {
		if s != nil {
			return &s.Request
		}
	}
	return &o.whole
}

// abandon gives up what is under way, since the operation has failed. The ranks to which this one has messages
// still to send get alarms instead. What others send is dropped in the end: see Space.leave.
func (o *Operation) abandon() {
	o.abandoned.Store(true)
	for _, s := range o.requests {
		if s != nil {
			o.space.process.Transport.Cancel(&s.Request)
		}
	}
	if o.short.memory != nil {
		o.abandonShort()
	}
	for i := range o.waits {
		st := &o.schedule.Steps[i]
		if st.Kind != schedule.Send || o.waits[i] == begun {
			continue
		}
		o.raise(o.space.comm.JobRank(int(st.Peer)))
		for next := st.Follow; next > 0; next = o.schedule.Steps[next].Follow {
			o.waits[next] = begun // one is enough
		}
	}
}
