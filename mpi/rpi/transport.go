// Package rpi is the Request Progression Interface: the contract between MPI
// and a transport. In LAM's words a transport starts requests, advances them,
// probes, cancels and closes. Package rpitest is its executable form.
package rpi

import (
	"context"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
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

	// Start starts r. It never blocks; r may be complete when it returns.
	Start(r *Request)

	// Cancel asks that r be given up. r completes in any case, soon if the
	// cancellation succeeds: Status.Cancelled tells. A receive or probe can be
	// cancelled until it has matched; a send until its message has matched
	// and as long as no part of it has been handed to the network, or its
	// receiver can still forget it. A message is delivered whole or not at all.
	Cancel(r *Request)

	// Advance moves messages if nobody else does, for a program that looks whether
	// requests have completed and does not wait for them.
	Advance()

	// Iprobe reports whether a message is there that a receive for (c, source,
	// tag) posted now would take, and its status.
	Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (Status, bool, error)

	// Improbe is Iprobe and takes the message: only a receive that names it in
	// Request.Message gets it, and there must be one.
	Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, Status, bool, error)

	// Await blocks until w is signalled or ctx ends; then it returns the cause.
	// The goroutine may be put to moving messages meanwhile.
	Await(ctx context.Context, w *Waiter) error

	// Discard has nobody receive what peers have sent, and will send, in context c,
	// which has InOrder, with tag or one before it: a message is taken and dropped,
	// and its sender told, as if by a receive that wants none of it. Tags count up
	// and go round: those of the half of all tags up to tag are before it.
	Discard(c matching.Context, tag matching.Tag)

	// Refuse says that this process will start no receive or probe any more in contexts without
	// InOrder: those end with ErrClosed. A message there, here or to come, that no posted receive can
	// take is lost. If its sender waits, for a match or for room at the receiver, the message is
	// refused and the send fails with a RefusedError. Pending names lost messages as before, those that
	// were refused apart.
	Refuse()

	// Connect makes the connections to all peers now rather than on first use.
	Connect(ctx context.Context) error

	// Scope says which processes use context c: its communicator's group, this process
	// among them. It is called before any operation in c, and holds until Release. Without
	// it all processes of the job may use c. A receive or probe from any source fails with
	// ErrProcFailed when all others that use its context are gone.
	Scope(c matching.Context, group []matching.Rank)

	// Release forgets what was kept for a context that no operation uses any more.
	Release(c matching.Context)

	// Pending says what the transport has to do: which operations are open and which
	// messages nobody has received. It changes nothing, and may be called at any time. It
	// looks at each of them, so it is nothing to be called often.
	Pending() Snapshot

	// Close ends the transport in good order: what has been started leaves,
	// peers learn that this process is done rather than dead. It returns when
	// the peers have done the same or ctx ends, with a PartingError then. Requests still open complete
	// with ErrClosed.
	Close(ctx context.Context) error

	// Kill drops everything at once, as the death of the process would.
	Kill()
}

// Usage is what a transport takes of the operating system, by which designs compare.
type Usage struct {
	// Sockets is how many sockets it has open, but those that listen.
	Sockets int
	// SystemCalls is how many system calls it has made so far to move messages, to wait
	// for them, and to make connections.
	SystemCalls uint64
}

// Metered is a Transport that knows what it uses.
type Metered interface{ Usage() Usage }

// InOrder is a bit of contexts, and a promise of those who use one that has it:
// each process receives what another sends it there in the order in which it
// was sent, whatever the tags, and without wildcards. So it is with collective
// operations, which use a new tag each time. A transport may rely on it to
// keep the number of its channels small; if the promise is broken, messages
// may have to be copied once more, but still match as anywhere.
const InOrder matching.Context = 1

// Internal is a bit of contexts whose messages and receives are none of the program's: a
// Snapshot leaves them out.
const Internal matching.Context = 2

// Open makes a transport.
type Open func(cfg Config) (Transport, error)

// Config is what a transport needs to know of its job and its limits.
type Config struct {
	// Rank and Size place the process in its job.
	Rank, Size int

	// Lookup returns the Address of a peer; it may block until it is known.
	Lookup func(ctx context.Context, peer int) (string, error)

	// Token is the job's secret. Connections of whoever does not know it are
	// refused. Empty: a connection needs no more than to reach the port.
	Token []byte

	// EagerLimit is the longest message, in bytes, that is sent before its
	// receive is known. 0: DefaultEagerLimit.
	EagerLimit int

	// UnexpectedLimit bounds the bytes of messages, with an overhead for each,
	// that peers may send this process before their receives are posted; each
	// peer gets an equal share and sends what exceeds it only on demand.
	// 0: DefaultUnexpectedLimit.
	UnexpectedLimit int

	// ConnectTimeout bounds the making of a connection. 0: DefaultConnectTimeout.
	ConnectTimeout time.Duration

	// PeerTimeout is how long a process may give no sign of life before it counts as
	// dead. A living host that only refuses data, or a process that computes and makes
	// no MPI call, gives signs of life. 0: DefaultPeerTimeout.
	PeerTimeout time.Duration

	// Bind is the local address to listen on and to publish. Zero: loopback.
	Bind netip.Addr

	// Progress says who moves messages.
	Progress Progress

	// Spin is how long a wait may keep its processor before it lets others have it. 0:
	// as long as it is of use, which is measured. Less than 0: not at all.
	Spin time.Duration
	// Crowded: there are more ranks on this host than processors for them. Then one who
	// waits gives its processor away after each look at the network.
	Crowded bool

	// PortLow and PortHigh are the ports to choose from. Both 0: any.
	PortLow, PortHigh uint16
}

// Defaults of Config.
const (
	DefaultEagerLimit      = 64 << 10
	DefaultUnexpectedLimit = 64 << 20
	DefaultConnectTimeout  = 30 * time.Second
	DefaultPeerTimeout     = 60 * time.Second
)

// WithDefaults returns cfg with defaults in place of zeroes.
func (cfg Config) WithDefaults() Config {
	if cfg.EagerLimit == 0 {
		cfg.EagerLimit = DefaultEagerLimit
	}
	if cfg.UnexpectedLimit == 0 {
		cfg.UnexpectedLimit = DefaultUnexpectedLimit
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = DefaultConnectTimeout
	}
	if cfg.PeerTimeout == 0 {
		cfg.PeerTimeout = DefaultPeerTimeout
	}
	if !cfg.Bind.IsValid() {
		cfg.Bind = Loopback()
	}
	return cfg
}
