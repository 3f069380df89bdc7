package handshake

import (
	"errors"
	"io"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
)

// Session is what the handshake of a connection leaves for further connections between the same two processes, which either of them
// makes. They have no handshake: their keys follow from that one (seal.Resumption). A Session holds some 2 KiB, and 4 if connections overtake each other.
type Session struct {
	self       *Self
	peer       matching.Rank
	terms      seal.Terms // of the records that this process sends
	resumption *seal.Resumption
}

// errSession: a peer begins a connection of a Session that there is not.
var errSession = errors.New("it resumes nothing that this process knows of")

// flightSize is the length of a first flight in bytes.
var flightSize = seal.FlightSize(greetingSize, helloSize)

// open begins a Session: from now on the peer's connections in it are taken.
func (s *Self) open(n *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[n.resumption.Received] = n
}

// End ends a Session: connections that the peer begins in it later are strangers'. It is for the end of the connection whose handshake has
// left it, and may be called again.
func (n *Session) End() {
	if n == nil {
		return
	}
	n.self.mu.Lock()
	defer n.self.mu.Unlock()
	delete(n.self.sessions, n.resumption.Received)
}

// Begin is Initiate for a connection that is followed by others with the same process. These need the Session, nil if nothing is sealed or
// the connection is not accepted.
func (s *Self) Begin(nc net.Conn, to Peer, h Hello) (Result, *record.Cipher, *Session, error) {
	c, n, err := s.greet(nc, to, h)
	if n != nil {
		s.open(n) // the peer may use it as soon as it has the confirmation
	}
	result, c, err := conclude(nc, c, h, err)
	if err != nil || result != Accepted {
		n.End()
		n = nil
	}
	return result, c, n, err
}

// Begin opens the Session that a connection leaves which is about to be accepted. It is nil if there is none.
func (v *Visit) Begin() *Session {
	if v.session != nil {
		v.session.self.open(v.session)
	}
	return v.session
}

// Resume is Initiate in a Session. If there is none, or it has made as many connections as it may, there is a whole handshake.
func (s *Self) Resume(nc net.Conn, to Peer, n *Session, h Hello) (Result, *record.Cipher, error) {
	if n == nil {
		return s.Initiate(nc, to, h)
	}
	g := greeting{mode: n.terms.Mode, suite: n.terms.Suite, resumes: true, id: n.resumption.Sent}
	flight, keys, err := n.resumption.Dial(s.greeting(g, h.To), h.append(nil))
	if err != nil {
		return s.Initiate(nc, to, h)
	}
	_, err = nc.Write(flight)
	return conclude(nc, record.NewCipher(keys, n.terms), h, err)
}

// resume takes a connection that a peer begins in a Session, and returns its hello.
func (s *Self) resume(nc net.Conn, g greeting, first []byte) (*record.Cipher, []byte, error) {
	s.mu.Lock()
	n := s.sessions[g.id]
	s.mu.Unlock()
	if n == nil || n.peer != matching.Rank(g.from) {
		return nil, nil, errSession
	}
	flight := append(first, make([]byte, flightSize-greetingSize)...)
	if _, err := io.ReadFull(nc, flight[greetingSize:]); err != nil {
		return nil, nil, err
	}
	said, keys, err := n.resumption.Accept(flight, greetingSize)
	if err != nil {
		return nil, nil, err
	}
	return record.NewCipher(keys, n.terms), said, nil
}
