// Package handshake has the messages with which an association of two processes of a job begins, on
// stream 0. Both ends send the same, since both may have begun the association:
//
//	hello    magic, protocol, byte order, ranks, job size, setting, nonce
//	proof    HMAC(token, our hello, the peer's hello)
//	result   once the peer's proof has been verified
//
// The end that began the association sends its hello at once, the other one in answer to it. A
// proof answers a hello, and a result answers a proof. An end takes messages after it has sent its
// result, and sends messages after it has received the peer's result. So no message has to be kept
// before its sender is authenticated, even if its stream overtakes the handshake. That costs half a
// round trip, once for each pair of processes.
//
// The package only makes messages and verifies them. Package associations sends them.
package handshake

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Result is how a handshake ends.
type Result byte

// The results.
const (
	Accepted Result = 1 + iota
	// Another: both ends were making an association, and this is not the one to use. SCTP could not
	// know that they belong together.
	Another
	// Mismatch: the two processes differ in what must be the same.
	Mismatch
	// ClosedDown: the process has finalized, or has given up the peer.
	ClosedDown
	resultEnd
)

// ParseResult decodes the message of a result, which is one byte.
func ParseResult(b []byte) (Result, error) {
	if len(b) != 1 || b[0] == 0 || Result(b[0]) >= resultEnd {
		return 0, errNotUs
	}
	return Result(b[0]), nil
}

// Reasons to reject a peer.
var (
	errToken = errors.New("it does not know the job's token: it is not of this job (SCTPMPI_JOB_TOKEN differs)")
	errNotUs = errors.New("it does not speak this version of the SCTP transports' handshake")
)

// Terms are what a process says of itself to all peers, and expects of them.
type Terms struct {
	// Protocol is the name and version of what follows the handshake: at most ProtocolSize bytes.
	Protocol   string
	Rank, Size int
	// Setting must be the same in all processes. SettingName is what the user calls it.
	Setting     int64
	SettingName string
	// Token is the job's secret.
	Token []byte
}

// Check checks that a hello is from another process of the job to this one.
func (t *Terms) Check(h *Hello) error {
	if h.From < 0 || int(h.From) >= t.Size || int(h.To) != t.Rank || h.From == h.To {
		return fmt.Errorf("it says to be rank %d and looks for rank %d, this is rank %d of %d", h.From, h.To, t.Rank, t.Size)
	}
	return nil
}

// Fits reports whether the sender of a hello agrees with this process on all that must be the same.
func (t *Terms) Fits(h *Hello) bool {
	return h.protocol == protocol(t.Protocol) && h.bigEnd == bigEndian() && h.setting == t.Setting && h.size == uint32(t.Size)
}

// Mismatch says in what the sender of a hello differs from this process.
func (t *Terms) Mismatch(h *Hello) error {
	if h.protocol != protocol(t.Protocol) {
		return fmt.Errorf("its transport speaks %q and that of this rank %q: set SCTPMPI_TRANSPORT alike in all processes of a job",
			h.protocol.String(), t.Protocol)
	}
	return fmt.Errorf("it has another byte order, job size or %s: these must be alike in all processes of a job", t.SettingName)
}

// Prove is the proof of the end that sent the hello own that it knows the token. It covers the
// nonces of both ends, so that it is valid for this association only.
func (t *Terms) Prove(own, others *Hello) []byte {
	mac := hmac.New(sha256.New, t.Token)
	mac.Write(own.Encode())
	mac.Write(others.Encode())
	return mac.Sum(nil)
}

// Verify checks the proof of a peer.
func (t *Terms) Verify(proof []byte, peers, own *Hello) error {
	if !hmac.Equal(proof, t.Prove(peers, own)) {
		return errToken
	}
	return nil
}

// Hello returns a new hello to a peer.
func (t *Terms) Hello(to matching.Rank) *Hello {
	return &Hello{
		From: matching.Rank(t.Rank), To: to, size: uint32(t.Size),
		bigEnd: bigEndian(), setting: t.Setting, protocol: protocol(t.Protocol), nonce: newNonce(),
	}
}
