// Package handshake is how a connection of a TCP transport begins: both sides prove that they know
// the job's token and agree to use the connection.
//
//	dialer → acceptor   greeting: magic, protocol, how records are sealed, ranks, the dialer's ID;
//	                    Noise's first message
//	acceptor → dialer   Noise's second message
//	dialer → acceptor   hello, in the first record: byte order, setting, what the connection is for
//	acceptor → dialer   result, in the first record of the other direction
//	dialer → acceptor   confirmation, if it is accepted
//
// The keys of the records are those that Noise has made (Noise_NNpsk0, package seal): its key follows from the job's token,
// and its prologue has the greeting and the IDs of both processes, which they have published with their addresses. So a
// process that passes on the bytes of two others can neither read nor change what they say, nor give one's words as an
// answer to a third. The first record of the dialer shows that it has made the greeting now, and has not only recorded it.
//
// A connection that others follow leaves a Session. These resume it, and have keys that follow from its own (seal.Resumption):
//
//	dialer → acceptor   greeting, with the name of the Session in place of the ID; number, hello
//	acceptor → dialer   result, in the first record
//	dialer → acceptor   confirmation, if it is accepted
//
// With SCTPMPI_ENCRYPT=off there are no keys, and who knows the token is proven by HMAC:
//
//	dialer → acceptor   greeting, with a nonce in place of the ID
//	acceptor → dialer   challenge: nonce, HMAC(token, "acceptor", greeting, nonce)
//	dialer → acceptor   hello, HMAC(token, "dialer", greeting, nonce, hello)
//	acceptor → dialer   result
//	dialer → acceptor   confirmation, if it is accepted
//
// The acceptor uses the connection when it has the confirmation: a dialer that has given up, or a connection that has been
// cut, before it knew of the result, are then no end of a connection in use. What the dialer sends next may follow at once.
//
// Nothing that came before the proof has an effect. What proves nothing gets no answer.
package handshake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
)

// Result is how a handshake ends.
type Result byte

const (
	Accepted Result = 1 + iota
	// Yours: both sides were connecting at the same time, and the connection
	// that the acceptor is making is the one to use.
	Yours
	// Mismatch: the two processes differ in a setting or a property that must
	// be alike.
	Mismatch
	// ClosedDown: the acceptor has finalized.
	ClosedDown
	// Full: the acceptor has no descriptor for the connection.
	Full
	// GivenUp: the acceptor counts the dialer as dead.
	GivenUp
)

// The errors of Initiate, beside those of the connection, and rpi.ErrGivenUp.
var (
	ErrToken     = seal.ErrToken
	ErrMismatch  = errors.New("it has another byte order or another SCTPMPI_UNEXPECTED_LIMIT: these must be alike in all processes of a job")
	ErrNotUs     = errors.New("it does not speak this version of the transport's protocol")
	ErrFinalized = errors.New("it has finalized")
	// ErrPolicy: the peer wants its traffic sealed in another way.
	ErrPolicy = errors.New("the two cannot talk")
	// ErrCut is worth another attempt: a process with too many connections in their handshake
	// closes some.
	ErrCut = errors.New("no answer to the handshake")
)

func cut(err error) error { return fmt.Errorf("%w: %w", ErrCut, err) }

// Final reports whether err, from Initiate or Find, is final: another attempt would fail in the same way.
func Final(err error) bool {
	for _, final := range []error{ErrToken, ErrMismatch, ErrNotUs, ErrPolicy, seal.ErrIdentity} {
		if errors.Is(err, final) {
			return true
		}
	}
	return false
}

// Initiate is the dialer's side of the handshake. Without an error the result
// is Accepted, Yours or Full. The Cipher is nil if nothing is sealed.
func (s *Self) Initiate(nc net.Conn, to Peer, h Hello) (Result, *record.Cipher, error) {
	c, _, err := s.greet(nc, to, h)
	return conclude(nc, c, h, err)
}

// greet is the dialer's side of it up to the hello. It also returns the Session that the connection may leave.
func (s *Self) greet(nc net.Conn, to Peer, h Hello) (*record.Cipher, *Session, error) {
	if s.Identity.Policy == seal.Off {
		return nil, nil, s.prove(nc, h)
	}
	c, n, err := s.agree(nc, to, h)
	if err == nil {
		err = c.Send(nc, h.append(nil))
	}
	return c, n, err
}

// conclude is the dialer's side of it after the hello, unless that has failed.
func conclude(nc net.Conn, c *record.Cipher, h Hello, err error) (Result, *record.Cipher, error) {
	var result []byte
	if err == nil {
		result, err = receive(nc, c, 1)
	}
	if err == nil && Result(result[0]) == Accepted && h.Purpose != ForWitness {
		err = send(nc, c, result)
	}
	if err == nil {
		return Result(result[0]), c, outcome(Result(result[0]))
	}
	if errors.Is(err, ErrToken) || errors.Is(err, record.ErrChanged) {
		return 0, nil, err
	}
	return 0, nil, cut(err)
}

// outcome is the error that a result means.
func outcome(v Result) error {
	switch v {
	case Accepted, Yours, Full:
		return nil
	case Mismatch:
		return ErrMismatch
	case ClosedDown:
		return ErrFinalized
	case GivenUp:
		return rpi.ErrGivenUp
	}
	return ErrNotUs
}

// agree makes keys with the acceptor.
func (s *Self) agree(nc net.Conn, to Peer, h Hello) (*record.Cipher, *Session, error) {
	terms := seal.Terms{From: s.Identity.ID, To: to.ID, Mode: s.Identity.Policy.Mode(), Suite: seal.SuiteFor(s.Identity, to.Identity)}
	first := s.greeting(greeting{mode: terms.Mode, suite: terms.Suite, id: terms.From}, h.To)
	noise, message, err := s.secret.Initiate(parties(terms, first))
	if err != nil {
		return nil, nil, err
	}
	if _, err = nc.Write(append(first, message...)); err != nil {
		return nil, nil, err
	}
	answer := make([]byte, seal.MessageSize)
	if _, err = io.ReadFull(nc, answer); err != nil {
		return nil, nil, err
	}
	keys, err := noise.Finish(answer)
	if err != nil {
		return nil, nil, ErrToken
	}
	return record.NewCipher(keys, terms), s.session(h.To, keys, terms), nil
}

// session returns the Session that a handshake with a peer leaves. terms are those of the records that this process sends.
func (s *Self) session(peer matching.Rank, keys seal.Keys, terms seal.Terms) *Session {
	return &Session{self: s, peer: peer, terms: terms, resumption: keys.Resumption(terms)}
}

// greeting encodes a greeting to a rank.
func (s *Self) greeting(g greeting, to matching.Rank) []byte {
	g.protocol, g.from, g.to, g.size = s.protocol, int32(s.cfg.Rank), int32(to), int32(s.cfg.Size)
	return g.append(nil)
}

// parties are the two ends that have terms for the records of the dialer.
func parties(terms seal.Terms, greeting []byte) seal.Parties {
	return seal.Parties{Initiator: terms.From, Responder: terms.To, Binding: greeting}
}

// send says something to the peer.
func send(w io.Writer, c *record.Cipher, b []byte) error {
	if c != nil {
		return c.Send(w, b)
	}
	_, err := w.Write(b)
	return err
}

// receive reads what the peer says next, n bytes.
func receive(nc net.Conn, c *record.Cipher, n int) ([]byte, error) {
	if c == nil {
		b := make([]byte, n)
		_, err := io.ReadFull(nc, b)
		return b, err
	}
	b, err := c.Receive(nc, n)
	if err == nil && len(b) != n {
		err = record.ErrChanged
	}
	return b, err
}

// Visit is a connection that a peer has made, and that waits for the result.
type Visit struct {
	Hello
	Cipher *record.Cipher // nil if nothing is sealed

	session *Session // that it may leave
}

// Answer sends the result, which ends the handshake unless it is Accepted.
func (v *Visit) Answer(w io.Writer, result Result) error {
	return send(w, v.Cipher, []byte{byte(result)})
}

// Accept sends the result that the connection is accepted, and waits, for a limited time, until the dialer has confirmed that.
func (v *Visit) Accept(ctx context.Context, nc net.Conn, patience time.Duration) error {
	allow(ctx, nc, patience)
	err := v.Answer(nc, Accepted)
	if err == nil {
		_, err = receive(nc, v.Cipher, 1)
	}
	return err
}

// Receive is the acceptor's side of the handshake up to the result. It returns the peer's rank and
// purpose once that is proven: another rank of the job that means to talk to this one. Any other
// greeting is not answered: a proof by this process in the name of another rank would help an attacker
// to impersonate that rank.
func (s *Self) Receive(ctx context.Context, nc net.Conn) (*Visit, error) {
	allow(ctx, nc, HelloTime)
	first := make([]byte, greetingSize)
	if _, err := io.ReadFull(nc, first); err != nil {
		return nil, err
	}
	var g greeting
	if !g.parse(first) || g.protocol != s.protocol {
		return nil, ErrNotUs
	}
	cfg := s.cfg
	if g.from < 0 || int(g.from) >= cfg.Size || int(g.to) != cfg.Rank || g.from == g.to || int(g.size) != cfg.Size {
		return nil, fmt.Errorf("rank %d of %d connects to rank %d, this is rank %d of %d", g.from, g.size, g.to, cfg.Rank, cfg.Size)
	}
	v := &Visit{Hello: Hello{From: matching.Rank(g.from), To: matching.Rank(g.to)}}
	var said []byte
	var err error
	switch {
	case s.Identity.Policy == seal.Off:
		said, err = s.challenge(ctx, nc, g, first)
	case g.resumes:
		v.Cipher, said, err = s.resume(nc, g, first)
		allow(ctx, nc, ProofTime)
	default:
		if v.Cipher, v.session, err = s.respond(ctx, nc, g, first); err == nil {
			said, err = receive(nc, v.Cipher, helloSize)
		}
	}
	if err != nil {
		return nil, err
	}
	v.parse(said)
	return v, nil
}

// respond makes keys with a dialer.
func (s *Self) respond(ctx context.Context, nc net.Conn, g greeting, first []byte) (*record.Cipher, *Session, error) {
	if !s.Identity.Policy.Allows(g.mode) || !g.suite.Known() || g.id == s.Identity.ID {
		return nil, nil, ErrPolicy
	}
	message := make([]byte, seal.MessageSize)
	if _, err := io.ReadFull(nc, message); err != nil {
		return nil, nil, err
	}
	theirs := seal.Terms{From: g.id, To: s.Identity.ID, Mode: g.mode, Suite: g.suite}
	answer, keys, err := s.secret.Respond(parties(theirs, first), message)
	if err != nil {
		return nil, nil, ErrToken
	}
	allow(ctx, nc, ProofTime)
	if _, err := nc.Write(answer); err != nil {
		return nil, nil, err
	}
	ours := theirs.Reversed()
	return record.NewCipher(keys, ours), s.session(matching.Rank(g.from), keys, ours), nil
}
