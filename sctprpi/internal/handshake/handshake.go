// Package handshake has the messages with which an association of two processes of a job begins, on
// stream 0. Both ends send the same, since both may have begun the association:
//
//	hello    magic, protocol, byte order, ranks, job size, setting, how messages are sealed, IDs of both processes, nonce
//	proof    HMAC(token, our hello, the peer's hello)
//	result   once the peer's proof has been verified
//
// Where messages are sealed (package record) the proofs are the two messages of Noise_NNpsk0 (package seal), bound to the
// token and both hellos: that of the lower rank is the first, and the other one answers it. The results, and all that
// follows, are sealed with the keys that Noise has made.
//
// The IDs say which job it is: a rank looks for the process that has published its ID through the launcher of the job. So the process
// of another job that has been given the same token, and has taken over an address, is not taken for a rank of this one. Where nothing
// is sealed no process has an ID.
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
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
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
	// ClosedDown: the process has finalized.
	ClosedDown
	// GivenUp: the process counts the peer as dead.
	GivenUp
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
	errOther = errors.New("it looks for another process at this address: it is of another job")
	errNotUs = errors.New("it does not speak this version of the SCTP transports' handshake")
)

// Terms are what a process says of itself to all peers, and expects of them.
type Terms struct {
	// Protocol is the name and version of what follows the handshake: at most ProtocolSize bytes.
	Protocol   string
	Rank, Size int
	// ID is what the process publishes with its address, zero if that is the address alone.
	ID seal.ID
	// Setting must be the same in all processes. SettingName is what the user calls it.
	Setting     int64
	SettingName string
	// Token is the job's secret.
	Token []byte
	// Sealing is how messages are sealed, nil if they are not.
	Sealing *Sealing
}

// Check checks that a hello is from another process of the job to this one.
func (t *Terms) Check(h *Hello) error {
	if h.From < 0 || int(h.From) >= t.Size || int(h.To) != t.Rank || h.From == h.To {
		return fmt.Errorf("it says to be rank %d and looks for rank %d, this is rank %d of %d", h.From, h.To, t.Rank, t.Size)
	}
	if h.receiver != t.ID {
		return errOther
	}
	return nil
}

// Fits reports whether the sender of a hello agrees with this process on all that must be the same.
func (t *Terms) Fits(h *Hello) bool {
	return h.protocol == protocol(t.Protocol) && h.bigEnd == bigEndian() && h.setting == t.Setting && h.size == uint32(t.Size) &&
		h.policy == t.policy()
}

// Mismatch says in what the sender of a hello differs from this process.
func (t *Terms) Mismatch(h *Hello) error {
	if h.protocol != protocol(t.Protocol) {
		return fmt.Errorf("its transport speaks %q and that of this rank %q: set SCTPMPI_TRANSPORT alike in all processes of a job",
			h.protocol.String(), t.Protocol)
	}
	if err := t.policy().Agree(h.policy); err != nil {
		return err
	}
	return fmt.Errorf("it has another byte order, job size or %s: these must be alike in all processes of a job", t.SettingName)
}

// Hello returns a new hello to a peer, which is the process with an ID.
func (t *Terms) Hello(to matching.Rank, id seal.ID) *Hello {
	h := &Hello{
		From: matching.Rank(t.Rank), To: to, Sender: t.ID, receiver: id, size: uint32(t.Size),
		bigEnd: bigEndian(), setting: t.Setting, protocol: protocol(t.Protocol), policy: t.policy(), nonce: seal.NewID(),
	}
	if t.Sealing != nil {
		h.aes = t.Sealing.AES
	}
	return h
}
