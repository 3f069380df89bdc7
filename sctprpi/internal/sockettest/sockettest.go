// Package sockettest is the contract of package socket in executable form:
// every one-to-many SCTP socket must pass Run. It is for the tests of such
// sockets.
//
// Beside what each test asserts, every event of every test is checked against the
// rules of order that package socket gives, and every test ends with a graceful
// shutdown of the associations that it has left, in which nothing may be lost.
package sockettest

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Maker makes a socket on loopback that is bound to the addresses given, to one
// loopback address if there are none. The suite closes it.
type Maker func(t testing.TB, c socket.Config, addrs ...netip.Addr) socket.Socket

// Features says what an implementation has by its nature. A test that needs one
// that is lacking logs its name and tests nothing.
type Features struct {
	// Multihoming: sockets bind 127.0.0.1 and 127.0.0.2 together.
	Multihoming bool
	// Interleaving: RFC 8260 is there, so that ends that both offer it agree.
	Interleaving bool
	// StreamReceive: sockets are a socket.StreamReceiver.
	StreamReceive bool
	// StreamSchedule: sockets heed Config.Scheduler and are a
	// socket.StreamScheduler.
	StreamSchedule bool
	// ZeroCopy: the socket does not copy zero-copy sends, so that an Outcome tells what has become
	// of the message.
	ZeroCopy bool
	// Silence: a port without a listener does not answer, so that Connect to it ends with
	// ErrUnreachable and not with an ABORT.
	Silence bool
	// Encapsulation: packets travel in UDP (RFC 6951), so that they can be
	// sent by way of a relay that loses them.
	Encapsulation bool
	// Rebind makes a socket that has one address and port chosen, which a
	// socket had that has been closed. nil if an implementation cannot.
	Rebind func(t testing.TB, c socket.Config, local socket.Addr) socket.Socket
}

// need is the name of a field of Features.
type need string

const (
	multihoming    need = "Multihoming"
	interleaving   need = "Interleaving"
	streamReceive  need = "StreamReceive"
	streamSchedule need = "StreamSchedule"
	zeroCopy       need = "ZeroCopy"
	silence        need = "Silence"
	encapsulation  need = "Encapsulation"
	rebind         need = "Rebind"
)

func (f Features) has(n need) bool {
	return map[need]bool{
		multihoming: f.Multihoming, interleaving: f.Interleaving, streamReceive: f.StreamReceive,
		streamSchedule: f.StreamSchedule, zeroCopy: f.ZeroCopy, silence: f.Silence,
		encapsulation: f.Encapsulation, rebind: f.Rebind != nil,
	}[n]
}

// patience is how long a test waits for what must happen. It bounds a failing
// run and never decides a passing one.
const patience = 3 * time.Minute

// test is a rule and its proof.
type test struct {
	rule  string
	needs []need
	run   func(s *suite)
}

// group is the tests of one part of the contract.
type group struct {
	name  string
	tests []test
}

func groups() []group {
	return []group{
		{"Connect", connectTests},
		{"Refusal", refusalTests},
		{"Authenticate", authenticateTests},
		{"Transfer", transferTests},
		{"Pieces", pieceTests},
		{"Streams", streamTests},
		{"Send", sendTests},
		{"ZeroCopy", zeroCopyTests},
		{"Flow", flowTests},
		{"Shutdown", shutdownTests},
		{"Abort", abortTests},
		{"Close", closeTests},
		{"Wait", waitTests},
		{"Many", manyTests},
		{"Concurrency", concurrencyTests},
		{"Status", statusTests},
		{"Multihoming", multihomingTests},
		{"StreamReceive", streamReceiveTests},
		{"StreamSchedule", streamScheduleTests},
		{"Loss", lossTests},
		{"Restart", restartTests},
	}
}

// Run checks that the sockets that make makes keep the contract.
func Run(t *testing.T, make Maker, f Features) {
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			for _, test := range g.tests {
				t.Run(test.rule, func(t *testing.T) {
					test.check(&suite{TB: t, make: make, features: f, patience: patience})
				})
			}
		})
	}
}

// check runs a test and then lets all associations end.
func (test *test) check(s *suite) {
	for _, n := range test.needs {
		if !s.features.has(n) {
			s.Logf("not tested: the implementation lacks %s", n)
			return
		}
	}
	test.run(s)
	s.shutdownAll()
}

// suite is what one test has to work with.
type suite struct {
	testing.TB
	make      Maker
	features  Features
	patience  time.Duration
	endpoints []*endpoint
}

// open makes a socket.
func (s *suite) open(c socket.Config, addrs ...netip.Addr) *endpoint {
	s.Helper()
	return s.adopt(s.make(s, c, addrs...), c)
}

// pair makes two sockets with an association, and returns what they have of it.
func (s *suite) pair(a, b socket.Config) (*assoc, *assoc) {
	s.Helper()
	x, y := s.open(a), s.open(b)
	return s.join(x, y)
}

// join makes an association between two sockets that have none yet.
func (s *suite) join(x, y *endpoint) (*assoc, *assoc) {
	s.Helper()
	a := x.connect(y.LocalAddrs()...)
	known := len(y.order)
	y.until("an association", func() bool { return len(y.order) > known })
	b := y.order[known]
	a.until("Up", func() bool { return a.up })
	require.True(s, b.up)
	return a, b
}
