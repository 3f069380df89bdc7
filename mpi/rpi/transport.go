// Package rpi is the Request Progression Interface: the contract between MPI
// and a transport. It is for authors of transports: programs use package mpi.
// In LAM's words a transport starts requests, advances them, probes, cancels
// and closes. Package rpitest is its executable form.
//
// Beside the contract it has what transports have in common: tables of requests,
// groups and sequence numbers, memory for copies, none of them for concurrent use,
// and the names of the environment variables.
package rpi

import (
	"cmp"
	"context"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Transport moves the messages of one process of a job. All methods may be
// called from many goroutines at once.
//
// Ordering: messages from one process to another in one context are matched
// in the order in which they were started, whatever tags they carry, for any
// receive or probe that could match them both (MPI 4.1, section 3.5).
//
// Progress: requests complete while no goroutine is inside the transport
// ("strict" progress), unless Config.Progress is Inline or the transport says
// otherwise.
type Transport interface {
	// Name is the name by which users choose the transport.
	Name() string

	// Address is what peers must get from their Config.Lookup for this
	// process: printable, without spaces, at most 512 bytes.
	Address() string

	// Start starts r. It never blocks. r may already be complete when it returns.
	Start(r *Request)

	// Cancel tries to cancel r. r completes in any case, and soon if that succeeds:
	// Status.Cancelled tells whether it did. A receive or probe can be cancelled until it has
	// matched. A send can be cancelled until its message has matched, as long as no part of it has
	// been handed to the network or its receiver can still forget it. A message is delivered whole
	// or not at all.
	Cancel(r *Request)

	// Advance moves messages if no other goroutine does. It is for a program that checks whether
	// requests have completed without waiting for them.
	Advance()

	// Iprobe reports whether there is a message that a receive for (c, source, tag) posted now
	// would take, and returns its status.
	Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (Status, bool, error)

	// Improbe does the same as Iprobe and takes the message. Only a receive that names the message
	// in Request.Message gets it, and there must be one.
	Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, Status, bool, error)

	// Await blocks until w is signalled or ctx ends. If ctx ends it returns the cause. Meanwhile
	// the transport may use the calling goroutine to move messages.
	Await(ctx context.Context, w *Waiter) error

	// AwaitRequest is Await for one request, until it has completed, without a Waiter of the caller's. stop, unless it is nil, is asked
	// before the goroutine blocks, and again when Nudge was called: its error ends the wait.
	AwaitRequest(ctx context.Context, r *Request, stop func(*Request) error) error

	// Discard drops the messages of context c, which has InOrder, with the given tag or one before
	// it, those that have arrived and those to come. Their senders get the same answer as if a
	// receive had taken them. Tags count up and wrap around: the half of all tags that ends with
	// tag is before it.
	Discard(c matching.Context, tag matching.Tag)

	// StopReceiving announces that this process will start no more receives and probes in contexts without
	// InOrder: those end with ErrClosed. A message in such a context is lost, now or when it arrives,
	// if no posted receive can take it. If its sender waits, for a match or for credit, the message is
	// undeliverable and the send fails with an UndeliverableError. Pending reports lost messages as unexpected, and
	// the undeliverable ones in Snapshot.Undeliverable.
	StopReceiving()

	// Connect makes the connections to all peers now. Otherwise each is made on first use.
	Connect(ctx context.Context) error

	// Scope sets the group of context c: the processes that use it, this process among them. It is
	// called before any operation in c, and holds until Release. Without it all processes of the
	// job may use c. A receive or probe from any source fails with ErrProcFailed when all other
	// processes of the group are gone.
	Scope(c matching.Context, group []matching.Rank)

	// AllowOvertaking says whether messages of context c may overtake each other on their way to this process, for receives
	// and probes that take any tag. At first they may not. The senders need not know. Afterwards no message
	// overtakes another that is sent after that, but those that are on their way may. Messages with one tag never do.
	AllowOvertaking(c matching.Context, allowed bool)

	// Expect says that peers may need this process at any time though it makes no call, such as those of a window: so many
	// windows more, or fewer. While there are some, the event loop looks for messages soon after a call has ended.
	Expect(more int)

	// Revoke ends all use of context c in this process, until Release: its operations, those under way too, complete with ErrRevoked.
	// A send that has begun may still succeed, and so may a receive that has matched. Messages in c that have arrived, or arrive later,
	// are dropped, as by Discard.
	Revoke(c matching.Context)

	// GiveUp takes a peer for dead though the transport has not found out so, because of cause: what needs it fails soon, as
	// if the connection with it had broken. It does nothing for a peer that is gone, or once the transport is closed.
	GiveUp(peer matching.Rank, cause error)

	// Release forgets what is kept for a context that no operation uses any more, nor ever will. Messages in it that come later,
	// while it is among the last 4096 that have been released, are dropped, as by Discard.
	Release(c matching.Context)

	// Pending returns the open operations and the messages that no receive has taken. It changes
	// nothing, and may be called at any time. It visits each operation, so do not call it often.
	Pending() Snapshot

	// Close ends the transport in good order. What has been started is sent, and peers learn that this
	// process is done rather than dead. Close returns nil when the peers have done the same, and a
	// PartingError if ctx ends before. Requests still open complete with ErrClosed.
	Close(ctx context.Context) error

	// Kill drops everything at once, as if the process had died.
	Kill()
}

// Usage is what a transport uses of the operating system, and of memory. Benchmarks compare designs by it.
type Usage struct {
	// Sockets is the number of open sockets, without those that listen.
	Sockets int
	// SystemCalls is the number of system calls made so far to move messages, to wait for them, and
	// to make connections.
	SystemCalls uint64
	// Held is how many bytes of messages have arrived that no receive has taken, some with their
	// bookkeeping: those in the library, and in a socket that is part of the process. What the kernel's
	// buffers hold is not known.
	Held int
	// SharedPeers is with how many peers memory is shared: messages with those take no socket. Shared is
	// the memory for it that this process has made, in bytes.
	SharedPeers, Shared int
	// Waited is how long calls have waited for messages and looked for them, the sum over the goroutines that did. Waits that
	// go on do not count, nor do calls that found at once what they wanted.
	Waited time.Duration
	// Blocked is the part of it in which they had given up their processor, until they had one again. In the rest they looked.
	Blocked time.Duration
	// Chunks is how many DATA chunks (RFC 9260, section 3.3.1) have been sent over the associations that there are, and Resent
	// how many of them once more. Only transports over SCTP have them.
	Chunks, Resent uint64
	// Streams is how many streams have carried messages of this process, the sum over its associations. Stream 0, which has
	// control, does not count. Only transports over SCTP have them.
	Streams int
}

// Metered is a Transport that reports what it uses.
type Metered interface{ Usage() Usage }

// Timed is a Transport that reports how long calls have waited until they were woken, in nanoseconds: Usage.Waited is the sum, with waits
// that were given up. It is nil without Config.Statistics.
type Timed interface{ WaitTimes() *Histogram }

// InOrder is a bit of a context. Processes that use such a context promise that each of them
// receives the messages of another in the order in which they were sent, whatever the tags, and
// without wildcards. Collective operations do so, with a new tag each time. A transport may rely on
// it to need few channels. If the promise is broken, messages may have to be copied once more, but
// still match correctly. Tags count up and wrap around. Operations that are under way at the same time say so
// (Request.OpenTags), and then their messages need no order between them.
const InOrder matching.Context = 1

// Internal is a bit of a context that the program does not see. A Snapshot leaves out its messages
// and receives.
const Internal matching.Context = 2

// Reserved is a bit that no context has. Transports may use it between them.
const Reserved matching.Context = 1 << 63

// Open makes a transport.
type Open func(cfg Config) (Transport, error)

// Config is what a transport needs to know about its job, and its limits.
type Config struct {
	// Rank and Size place the process in its job.
	Rank, Size int

	// Lookup returns the Address of a peer; it may block until it is known. A transport may ask for that of any peer, from
	// when it is made on.
	Lookup func(ctx context.Context, peer int) (string, error)

	// Token is the job's secret. A connection is rejected if the peer cannot prove that it knows it.
	// Empty: any process that reaches the port can connect.
	Token []byte

	// Encrypt is what the user wants of packets on the network: see Sealing.
	Encrypt seal.Policy

	// EagerLimit is the longest message, in bytes, that is sent before its
	// receive is known. 0: DefaultEagerLimit. Transports without a progression layer (package trc) send
	// messages of any length so; to them it says which ones StopReceiving returns.
	EagerLimit int

	// UnexpectedLimit bounds the bytes of messages, with an overhead for each,
	// that peers may send this process before their receives are posted; each
	// peer gets an equal share and sends what exceeds it only on demand.
	// Transports without a progression layer leave such messages in the
	// channels of their TRCs; what the limit means there their packages say.
	// 0: DefaultUnexpectedLimit.
	UnexpectedLimit int

	// ConnectTimeout bounds the making of a connection. 0: DefaultConnectTimeout.
	ConnectTimeout time.Duration

	// PeerTimeout is how long a process may give no sign of life before it counts as
	// dead. A living host that only takes no data, or a process that computes and makes
	// no MPI call, gives signs of life. 0: DefaultPeerTimeout.
	PeerTimeout time.Duration

	// Bind are the local addresses to listen on and to publish. SCTP uses all of them, the first one as long as it works (RFC 9260,
	// section 6.4); TCP only the first. At most MaxAddresses. None: loopback.
	Bind []netip.Addr

	// Publish is what peers are told in place of the address that was bound, for processes behind a translator of addresses (NAT): see
	// Published. Zero: what was bound.
	Publish netip.AddrPort

	// Statistics has messages counted by length, and waits by time: Snapshot.Lengths and Timed.
	Statistics bool

	// Progress chooses which goroutines move messages.
	Progress Progress

	// Spin is how long a wait may spin before it blocks. 0: for as long as spinning is of use,
	// which is measured. Less than 0: not at all.
	Spin time.Duration
	// Threads: the goroutines that wait are locked to threads, as those of a C program are. Then a wait blocks its thread: to
	// park such a goroutine and wake it again costs two changes of thread.
	Threads bool
	// Oversubscribed: there are more ranks on this host than processors. Then a goroutine that spins
	// yields its processor after each poll.
	Oversubscribed bool

	// PortLow and PortHigh bound the ports to choose from. Both 0: any port.
	PortLow, PortHigh uint16

	// SharedMemory reports whether messages with a peer may go through shared memory if it is on this
	// host (package shm). Both ends must say the same of each other. Nil: with no peer. Transports
	// without a progression layer do not use it.
	SharedMemory func(peer int) bool
	// OneProcess: all ranks of the job are in this process, which has no other job's.
	OneProcess bool
	// LocalSize is how many ranks this host has, by which the memory for each pair is chosen. 0: Size.
	LocalSize int
	// Launcher is the process that has started the ranks of this host. It and its descendants are
	// allowed to read this process's memory if SharedMemory is not nil. 0: only what the system allows.
	Launcher int

	// Gone, unless nil, is called once for each peer that is gone: dead, or finalized if cause is ErrFinalized. Afterwards
	// goroutines that wait for messages from any source are woken: see Request.Nudge. It is called with locks of the transport held,
	// and must not call the transport, nor wait.
	Gone func(peer matching.Rank, cause error)

	// Continuations run what follows the completion of requests (Request.Then). Nil: no request has that.
	Continuations *Continuations

	// Debug says what explains how a process works, such as why it shares no memory with a peer. Its
	// arguments are those of fmt.Printf, without the newline. It is called by any goroutine, rarely, and with no lock held, as it
	// writes. Nil: nothing is said.
	Debug func(format string, args ...any)
	// Notice is Debug for what the user should know though he has not asked, and can mend.
	Notice func(format string, args ...any)
}

// MaxAddresses is how many local addresses a process can have.
const MaxAddresses = 4

// Defaults of Config.
const (
	DefaultEagerLimit      = 64 << 10
	DefaultUnexpectedLimit = 64 << 20
	DefaultConnectTimeout  = 30 * time.Second
	DefaultPeerTimeout     = 60 * time.Second
)

// WithDefaults returns cfg with defaults in place of zeroes.
func (cfg Config) WithDefaults() Config {
	cfg.EagerLimit = cmp.Or(cfg.EagerLimit, DefaultEagerLimit)
	cfg.UnexpectedLimit = cmp.Or(cfg.UnexpectedLimit, DefaultUnexpectedLimit)
	cfg.ConnectTimeout = cmp.Or(cfg.ConnectTimeout, DefaultConnectTimeout)
	cfg.PeerTimeout = cmp.Or(cfg.PeerTimeout, DefaultPeerTimeout)
	if len(cfg.Bind) == 0 {
		cfg.Bind = []netip.Addr{Loopback()}
	}
	if cfg.Debug == nil {
		cfg.Debug = func(string, ...any) {}
	}
	if cfg.Notice == nil {
		cfg.Notice = func(string, ...any) {}
	}
	return cfg
}
