package mpi

import (
	"context"
	"log/slog"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
)

// Option changes a setting of Init, Run or RunLocal. Options override the
// environment; their values are checked when they are used.
type Option func(*startup.Settings) error

// DefaultTransport stands for sctp-kernel where the host has the kernel's SCTP, set up as
// sctprpi/kernel wants it, and for sctp-engine elsewhere.
const DefaultTransport = "sctp"

// Transports lists the names of transports. WithTransport and SCTPMPI_TRANSPORT take
// them, and DefaultTransport.
func Transports() []string { return transports.Names() }

// WithContext sets a context that ends what Init, Run or RunLocal begins. Until
// all processes of the job have come together its end makes Init fail with
// ErrCancelled: a deadline bounds how long it waits for a process that never
// comes. The world that it returns, or hands to fn, is a view as
// Comm.WithContext makes it: its blocking operations, Finalize too, give up when
// ctx ends. So do not end ctx if the program is to end in good order. A
// program that computes asks ctx itself; Run ends the job when fn returns an
// error. Communicators made of the world do not inherit ctx. Default: none.
func WithContext(ctx context.Context) Option {
	return func(s *startup.Settings) error { return s.SetContext(ctx) }
}

// WithTransport chooses the transport by name; see Transports. Default:
// DefaultTransport. Variable: SCTPMPI_TRANSPORT.
func WithTransport(name string) Option {
	return func(s *startup.Settings) error { return s.SetTransport(name) }
}

// WithEagerLimit sets the length in bytes, at least 1, up to which messages
// are sent before their receive is known; longer ones wait for it. Short
// limits save memory at the receiver, long ones save a round trip. Default
// 64 KiB. Variable: SCTPMPI_EAGER_LIMIT.
//
// Over tcp-pertrc and sctp-pertrc all messages are sent at once, whatever their
// length, as far as the receiver takes them. There the limit only says what a
// process copies of its messages to itself, and that a longer message which no
// receive has taken at Finalize fails at its sender; a shorter one is dropped.
func WithEagerLimit(bytes int) Option {
	return func(s *startup.Settings) error { return s.SetEagerLimit(bytes) }
}

// WithUnexpectedLimit bounds the bytes, at least 1, of messages that this
// process holds before their receives are posted, with an overhead for each,
// and the bytes of its own buffered sends. Peers share it equally, and send
// what exceeds their share only when a receive asks for it. All ranks must
// set the same. Default 64 MiB. Variable: SCTPMPI_UNEXPECTED_LIMIT.
//
// Over sctp-pertrc a peer's share, but 1 MiB at least, is the receive buffer
// of its association. Messages with one tag in one communicator may take 3/16 of
// it, the next such TRC 3/32, and so on; more of them waits at its sender, and
// nothing else does. Over tcp-pertrc the kernel's socket buffers hold messages,
// without this limit. Over both it also bounds, beside buffered sends, the messages
// that a process takes out of the way of others: see docs/transports.md.
func WithUnexpectedLimit(bytes int) Option {
	return func(s *startup.Settings) error { return s.SetUnexpectedLimit(bytes) }
}

// WithConnect chooses when connections are made: "lazy", the default, on
// first use; "eager" in Init, which costs the square of the number of ranks
// but finds unreachable peers early. Variable: SCTPMPI_CONNECT.
func WithConnect(when string) Option {
	return func(s *startup.Settings) error { return s.SetConnect(when) }
}

// WithConnectTimeout bounds the making of a connection; it must be positive.
// A peer that cannot be reached in that time counts as failed. Default 30 s.
// Variable: SCTPMPI_CONNECT_TIMEOUT, such as 10s.
func WithConnectTimeout(d time.Duration) Option {
	return func(s *startup.Settings) error { return s.SetConnectTimeout(d) }
}

// WithPeerTimeout sets how long a process may give no sign of life before its
// peers count it as failed; it must be positive. A rank that computes, or that
// does not receive what is sent to it, gives signs of life. Default 60 s.
// Variable: SCTPMPI_PEER_TIMEOUT, such as 10s.
func WithPeerTimeout(d time.Duration) Option {
	return func(s *startup.Settings) error { return s.SetPeerTimeout(d) }
}

// WithFinalizeTimeout bounds how long Finalize waits, after all ranks have called it,
// until its peers have got everything and said that they are done, and then until the
// launcher has; it must be positive. Default 60 s. Variable:
// SCTPMPI_FINALIZE_TIMEOUT, such as 10s.
func WithFinalizeTimeout(d time.Duration) Option {
	return func(s *startup.Settings) error { return s.SetFinalizeTimeout(d) }
}

// WithInterface chooses the local address to listen on and to publish: an IP
// address, the name of a network interface, or a network such as 10.1.0.0/16
// of which one interface has an address. Several, at most four, are separated
// by commas: over SCTP the job goes on when a network of the first is lost and
// that of another is not (RFC 9260, section 6.4); TCP takes the first. Default:
// loopback if all ranks are on this host, otherwise the first address that can
// be routed, bridges of containers and virtual machines left aside. RunLocal
// always uses loopback. Variable: SCTPMPI_INTERFACE.
func WithInterface(which string) Option {
	return func(s *startup.Settings) error { return s.SetInterface(which) }
}

// WithPortRange restricts the local ports, inclusively, for use behind
// firewalls. There must be one for each rank on a host. Default: any. RunLocal
// ignores it. Variable: SCTPMPI_PORT_RANGE, such as 7000-7063.
func WithPortRange(low, high uint16) Option {
	return func(s *startup.Settings) error { return s.SetPortRange(low, high) }
}

// WithProgress chooses which goroutine moves messages (MPI 4.1, section 2.9): in "hybrid",
// the default, a call that waits, and an event loop if there is no such call; in "event"
// the event loop; in "inline" calls only, so that Request.Done does not become ready while
// the program is in no call. "event" suits programs of which one goroutine computes while
// another communicates. Variable: SCTPMPI_PROGRESS.
func WithProgress(mode string) Option {
	return func(s *startup.Settings) error { return s.SetProgress(mode) }
}

// WithSpin sets how long a call that waits polls the network before it blocks and leaves
// its processor to other processes; 0 is not at all. Default: as long as polling helps,
// which is measured, at most 100 µs. On a host with more ranks than processors a call
// yields its processor after each poll, for a millisecond at most, and blocks at once if
// there is only one processor.
// Variable: SCTPMPI_SPIN, such as 20us.
func WithSpin(d time.Duration) Option {
	return func(s *startup.Settings) error { return s.SetSpin(d) }
}

// WithSharedMemory chooses whether ranks of one host send messages, and access windows of WinAllocate, through memory that they share:
// "auto", the default, where they can; "off" not at all, to measure a network or a transport. Ranks
// that cannot, as those of different containers or users, use the transport. So do all ranks over
// tcp-pertrc and sctp-pertrc. All ranks must set the same. Variable: SCTPMPI_SHM.
func WithSharedMemory(when string) Option {
	return func(s *startup.Settings) error { return s.SetSharedMemory(when) }
}

// WithLogger has the library say to l what it otherwise says on standard error: what the user should know and can mend at the level Warn,
// what explains how it works (SCTPMPI_DEBUG) at Debug. Records have the attribute rank, unless they are about all ranks. l's handler is
// called by any goroutine, and must not call MPI. What a rank that does not go on waits for is said on standard error all the same, when
// the process gets SIGQUIT. Default: standard error.
func WithLogger(l *slog.Logger) Option {
	return func(s *startup.Settings) error { return s.SetLogger(l) }
}

// newSettings takes the defaults, the environment, and the options, in the
// order of rising precedence.
func newSettings(op string, getenv func(string) string, options []Option) (*startup.Settings, error) {
	s, err := startup.NewSettings(op, getenv, transports.Find)
	if err != nil {
		return nil, public(err)
	}
	for _, option := range options {
		if option == nil {
			return nil, invalid(op, ErrArg, "an option is nil")
		}
		if err := option(s); err != nil {
			return nil, invalid(op, ErrArg, "%v", err)
		}
	}
	return s, nil
}
