package rpi

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Op is what a request does.
type Op uint8

// The operations. OpProbe and OpMprobe complete when there is a message that a receive posted at
// that time would take. OpMprobe also takes it.
const (
	OpSend Op = iota
	OpRecv
	OpProbe
	OpMprobe
)

func (o Op) String() string {
	return [...]string{"send", "receive", "probe", "matched probe"}[o]
}

// Mode is the mode of a send (MPI 4.1, section 3.4).
type Mode uint8

// The send modes. Standard completes when the buffer may be reused. Synchronous completes when a
// receive has also matched. Buffered completes at once, as the message is copied. Ready is Standard
// by a program that knows that the receive is posted; the transport need not make use of that.
const (
	Standard Mode = iota
	Synchronous
	Buffered
	Ready
)

// Request is one send, receive or probe. The caller sets the fields of the first group and hands it
// to Transport.Start. Until the request completes neither the fields nor Buf may be touched. The
// transport completes each request exactly once. A completed request can be Reset and used again,
// so that a blocking operation allocates nothing.
type Request struct {
	Op      Op
	Mode    Mode             // of a send
	Context matching.Context // of the communicator
	Peer    matching.Rank    // destination, or source (matching.AnySource)
	Tag     matching.Tag     // matching.AnyTag in receives and probes
	Type    matching.Type    // element type of Buf
	// OpenTags is, in a send in a context with InOrder, how many of the tags just before Tag this process may still
	// use: those of collective operations that are under way at the same time. 0: it has ended all of them.
	OpenTags matching.Tag
	Elem     int    // the size of an element in bytes
	Buf      []byte // the message, or the place for it
	// Matcher is asked, in a receive, about messages of another type than Type. Nil: they are refused.
	Matcher Matcher
	// Message is, in a receive, the message that a matched probe took before
	// (nil: the transport matches). A completed OpMprobe sets it.
	Message *matching.Message
	// Account counts the copy of a buffered send until it has left, nil if none does.
	Account *Account
	// Looked is since when the caller has looked for the message of a receive already, as TryRecv of a ShortWay returned it; 0: it has not.
	Looked time.Duration
	// Glance, unless nil, is called by a goroutine that spins for the request, each time that it has looked at the network. It completes the
	// request if what that stands for has come otherwise than by a message, which none has to tell of then.
	Glance func()
	// Then is what follows when the request has completed, nil if goroutines wait for it instead.
	Then Continuation

	// Status and Err are the outcome, valid once Completed reports true.
	Status Status
	Err    error

	// Transport holds the transport's own state between Start and completion.
	Transport State

	state   atomic.Uint32 // one of the following
	mu      sync.Mutex
	waiters []*Waiter
	closed  chan struct{} // made by Done
	after   Follower      // set by Follow
}

// The states of a request. Most requests complete before anything waits for them. Then no lock is taken.
const (
	open      = iota
	watched   // there may be waiters or a channel, which mu guards
	completed // from open
	told      // completed from watched: Complete has had mu, or has it
)

// State is what a transport keeps in a request. It stands here so that
// starting a request allocates nothing.
type State struct {
	// Receive is the entry of a receive in the matching engine.
	Receive matching.Receive
	// ID is the request's number on the wire, 0 if it has none.
	ID uint32
	// Seq is the sequence number of a send's message, or of the message that a receive has got: of those of the sender to the receiver in the
	// context.
	Seq matching.Seq
	// Begun counts the bytes of the fragments of a long message that have begun to arrive, Landed
	// the bytes that have arrived.
	Begun, Landed uint64
	// Pending is the part of a send that the network does not have yet.
	Pending any
	// Owned marks a request that the transport made for a buffered send.
	Owned bool
	// Rendezvous: a send has announced its message, or a receive has asked for the body of its
	// message.
	Rendezvous bool
	// Matched: the receiver has answered a send. Its message has matched, or is undeliverable or forgotten.
	Matched bool
	// Revoked: the context of the request has been revoked while it was under way.
	Revoked bool
	// Undeliverable: the receiver will never take the message of the send.
	Undeliverable bool
	// Retracting: the receiver has been asked to forget the message of the send.
	Retracting bool
	// Apart: the message of a collective operation has a channel of its own.
	Apart bool
	// Slot is otherwise the channel that it takes, of those that such messages of a context share.
	Slot uint8
}

// Status is the outcome of a receive or probe.
type Status struct {
	Source matching.Rank
	Tag    matching.Tag
	// Length is the length of the message as it was sent, in bytes; Elem is
	// the size of one of its elements, 0 if that is larger than MaxElem, Type their type.
	Length    uint64
	Elem      uint16
	Type      matching.Type
	Cancelled bool
}

// StatusOf is the status of a receive that takes a message from a rank.
func StatusOf(from matching.Rank, m *matching.Envelope) Status {
	return Status{Source: from, Tag: m.Tag, Length: m.Length, Elem: m.ElemSize, Type: m.Type}
}

// Complete ends the request with the Status that the transport has set and
// err. Only the transport calls it, once.
func (r *Request) Complete(err error) {
	then := r.Then // before the request may be used again
	r.Err = err
	if !r.state.CompareAndSwap(open, completed) {
		if after := r.tell(); after != nil {
			after.Completed(r)
			return
		}
	}
	if then != nil {
		then.Completed(r)
	}
}

// tell completes a request that is watched, and returns what Follow has set.
func (r *Request) tell() (after Follower) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.state.CompareAndSwap(watched, told) {
		panic("rpi: request completed twice")
	}
	for _, w := range r.waiters {
		w.Signal()
	}
	clear(r.waiters)
	r.waiters = r.waiters[:0]
	if r.closed != nil {
		close(r.closed)
	}
	return r.after
}

// Follow sets what follows a request that has been started without Then. It reports false if the request has completed already; then
// nothing follows.
func (r *Request) Follow(after Follower) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.watch() {
		return false
	}
	r.after = after
	return true
}

// Nudge wakes the goroutines that wait for the request, which has not completed, to look whether they should go on waiting.
func (r *Request) Nudge() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watch() // for a goroutine that spins: see Stirred
	for _, w := range r.waiters {
		w.Signal()
	}
}

// Completed reports whether the request has completed.
func (r *Request) Completed() bool { return r.state.Load() >= completed }

// Stirred reports whether the request has completed, or a goroutine has subscribed to it or was nudged: one that spins for it spins no
// longer then.
func (r *Request) Stirred() bool { return r.state.Load() != open }

// watch has Complete look for what waits, and reports false if the request has completed already. mu is held.
func (r *Request) watch() bool {
	return r.state.CompareAndSwap(open, watched) || r.state.Load() == watched
}

// Subscribe arranges that w is signalled when the request completes. It
// reports false if it has completed already; then w is not signalled. If w is subscribed already nothing changes.
func (r *Request) Subscribe(w *Waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.watch() {
		return false
	}
	if slices.Contains(r.waiters, w) {
		return true
	}
	r.waiters = append(r.waiters, w)
	w.begin()
	w.Kind = r.Kind()
	return true
}

// Kind is what a wait for the request waits for.
func (r *Request) Kind() WaitKind {
	if r.Op == OpSend {
		return ForAnswer
	}
	return ForArrival
}

// Unsubscribe withdraws w. A signal sent before may still be pending.
func (r *Request) Unsubscribe(w *Waiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.waiters, w); i >= 0 {
		r.waiters = slices.Delete(r.waiters, i, i+1)
	}
}

// Done returns a channel that is closed when the request has completed.
func (r *Request) Done() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed == nil {
		r.closed = make(chan struct{})
		if !r.watch() {
			close(r.closed)
		}
	}
	return r.closed
}

// Reset makes a completed request ready for another use.
func (r *Request) Reset() {
	if r.state.Load() == told { // and Complete may still have the lock
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.Op, r.Mode, r.Context, r.Peer, r.Tag, r.OpenTags, r.Type, r.Elem, r.Looked = 0, 0, 0, 0, 0, 0, 0, 0, 0
	r.Buf, r.Matcher, r.Message, r.Account, r.Then, r.after, r.Err, r.closed = nil, nil, nil, nil, nil, nil, nil, nil
	r.Status, r.Transport = Status{}, State{}
	r.state.Store(open)
}
