package mpi

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Option changes a setting of Init, Run or RunLocal. Options override the
// environment; their values are checked when they are used.
type Option func(*settings) error

// WithTransport chooses the transport by name; see Transports. Default:
// DefaultTransport. Variable: SCTPMPI_TRANSPORT.
func WithTransport(name string) Option {
	return func(s *settings) error { return s.setTransport(name) }
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
	return func(s *settings) error { return s.setEagerLimit(bytes) }
}

// WithUnexpectedLimit bounds the bytes, at least 1, of messages that this
// process holds before their receives are posted, with an overhead for each,
// and the bytes of its own buffered sends. Peers share it equally, and send
// what exceeds their share only when a receive asks for it. All ranks must
// set the same. Default 64 MiB. Variable: SCTPMPI_UNEXPECTED_LIMIT.
//
// Over sctp-pertrc a peer's share, but 256 KiB at least, is the receive buffer
// of its association. Messages with one tag in one communicator may take 3/16 of
// it, the next such TRC 3/32, and so on; more of them waits at its sender, and
// nothing else does. Over tcp-pertrc the kernel's socket buffers hold messages,
// without this limit. Over both it also bounds, beside buffered sends, the messages
// that a process takes out of the way of others: see docs/transports.md.
func WithUnexpectedLimit(bytes int) Option {
	return func(s *settings) error { return s.setUnexpectedLimit(bytes) }
}

// WithConnect chooses when connections are made: "lazy", the default, on
// first use; "eager" in Init, which costs the square of the number of ranks
// but finds unreachable peers early. Variable: SCTPMPI_CONNECT.
func WithConnect(when string) Option {
	return func(s *settings) error { return s.setConnect(when) }
}

// WithConnectTimeout bounds the making of a connection; it must be positive.
// A peer that cannot be reached in that time counts as failed. Default 30 s.
// Variable: SCTPMPI_CONNECT_TIMEOUT, such as 10s.
func WithConnectTimeout(d time.Duration) Option {
	return func(s *settings) error { return s.setConnectTimeout(d) }
}

// WithPeerTimeout sets how long a process may give no sign of life before its
// peers count it as failed; it must be positive. A rank that computes, or that
// does not receive what is sent to it, gives signs of life. Default 60 s.
// Variable: SCTPMPI_PEER_TIMEOUT, such as 10s.
func WithPeerTimeout(d time.Duration) Option {
	return func(s *settings) error { return s.setPeerTimeout(d) }
}

// WithFinalizeTimeout bounds how long Finalize waits, after all ranks have called it,
// until its peers have got everything and said that they are done, and then until the
// launcher has; it must be positive. Default 60 s. Variable:
// SCTPMPI_FINALIZE_TIMEOUT, such as 10s.
func WithFinalizeTimeout(d time.Duration) Option {
	return func(s *settings) error { return s.setFinalizeTimeout(d) }
}

// WithInterface chooses the local address to listen on and to publish: an IP
// address, the name of a network interface, or a network such as 10.1.0.0/16
// of which one interface has an address. Default: loopback if all ranks are
// on this host, otherwise the first address that can be routed, bridges of
// containers and virtual machines left aside. RunLocal always uses loopback.
// Variable: SCTPMPI_INTERFACE.
func WithInterface(which string) Option {
	return func(s *settings) error { return s.setInterface(which) }
}

// WithPortRange restricts the local ports, inclusively, for use behind
// firewalls. There must be one for each rank on a host. Default: any. RunLocal
// ignores it. Variable: SCTPMPI_PORT_RANGE, such as 7000-7063.
func WithPortRange(low, high uint16) Option {
	return func(s *settings) error { return s.setPortRange(low, high) }
}

// WithProgress chooses which goroutine moves messages (MPI 4.1, section 2.9): in "hybrid",
// the default, a call that waits, and an event loop if there is no such call; in "event"
// the event loop; in "inline" calls only, so that Request.Done does not become ready while
// the program is in no call. "event" suits programs of which one goroutine computes while
// another communicates. Variable: SCTPMPI_PROGRESS.
func WithProgress(mode string) Option {
	return func(s *settings) error { return parseProgress(s, mode) }
}

// WithSpin sets how long a call that waits polls the network before it blocks and leaves
// its processor to other processes; 0 is not at all. Default: as long as polling helps,
// which is measured, at most 100 µs. On a host with more ranks than processors a call
// yields its processor after each poll, for a millisecond at most, and blocks at once if
// there is only one processor.
// Variable: SCTPMPI_SPIN, such as 20us.
func WithSpin(d time.Duration) Option {
	return func(s *settings) error { return s.setSpin(d) }
}

// WithSharedMemory chooses whether ranks of one host send messages through memory that they share:
// "auto", the default, where they can; "off" not at all, to measure a network or a transport. Ranks
// that cannot, as those of different containers or users, use the transport. So do all ranks over
// tcp-pertrc and sctp-pertrc. All ranks must set the same. Variable: SCTPMPI_SHM.
func WithSharedMemory(when string) Option {
	return func(s *settings) error { return s.setSharedMemory(when) }
}

// settings are what options and environment decide.
type settings struct {
	transport         string
	eager, unexpected int // bytes
	connectEagerly    bool
	connectTimeout    time.Duration
	peerTimeout       time.Duration
	finalizeTimeout   time.Duration
	bind              netip.Addr // not valid: choose
	portLow, portHigh uint16
	token             []byte
	progress          rpi.Progress
	spin              time.Duration // as in rpi.Config
	oversubscribed    bool          // this host has more ranks than processors
	localSize         int           // ranks on this host, as far as is known
	oneProcess        bool          // all ranks are in this process
	sharedMemory      string        // "auto", "off" or "half"
	debug             bool          // say on standard error what explains how this process works
}

func (s *settings) setTransport(name string) (err error) {
	s.transport, _, err = findTransport(name)
	return err
}

func (s *settings) setEagerLimit(bytes int) error {
	s.eager = bytes
	return atLeastOne("eager limit", bytes)
}

func (s *settings) setUnexpectedLimit(bytes int) error {
	s.unexpected = bytes
	return atLeastOne("unexpected limit", bytes)
}

func atLeastOne(what string, bytes int) error {
	if bytes < 1 {
		return fmt.Errorf("%s of %d bytes: it must be 1 at least", what, bytes)
	}
	return nil
}

func (s *settings) setConnect(when string) error {
	s.connectEagerly = when == "eager"
	if when != "eager" && when != "lazy" {
		return fmt.Errorf("connect %q: it must be lazy or eager", when)
	}
	return nil
}

func (s *settings) setConnectTimeout(d time.Duration) error {
	s.connectTimeout = d
	return positive("connect timeout", d)
}

func (s *settings) setPeerTimeout(d time.Duration) error {
	s.peerTimeout = d
	return positive("peer timeout", d)
}

func (s *settings) setFinalizeTimeout(d time.Duration) error {
	s.finalizeTimeout = d
	return positive("finalize timeout", d)
}

func positive(what string, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%s %v: it must be positive", what, d)
	}
	return nil
}

func (s *settings) setSharedMemory(when string) error {
	s.sharedMemory = when
	if when != "auto" && when != "off" && when != "half" {
		return fmt.Errorf("shared memory %q: it must be auto or off", when)
	}
	return nil
}

// sharesMemory returns which peers of a rank may share memory with it, nil for none. Half is for tests of
// both ways in one job: ranks that are both even or both odd.
func (s *settings) sharesMemory(rank int) func(peer int) bool {
	switch s.sharedMemory {
	case "off":
		return nil
	case "half":
		return func(peer int) bool { return (rank+peer)%2 == 0 }
	}
	return func(int) bool { return true }
}

func (s *settings) setSpin(d time.Duration) error {
	if s.spin = d; d == 0 {
		s.spin = never
	}
	if d < 0 {
		return fmt.Errorf("spin %v: it must not be negative", d)
	}
	return nil
}

// never is the spin of calls that block at once.
const never time.Duration = -1

func (s *settings) setInterface(which string) (err error) {
	s.bind, err = interfaceAddress(which)
	return err
}

func (s *settings) setPortRange(low, high uint16) error {
	s.portLow, s.portHigh = low, high
	if low == 0 || low > high {
		return fmt.Errorf("port range %d-%d: it must be low-high, from 1 to 65535", low, high)
	}
	return nil
}
