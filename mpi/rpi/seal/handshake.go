package seal

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/flynn/noise"
)

// Parties are the two ends of a handshake, and what it is bound to. Both ends must have the same.
type Parties struct {
	Initiator, Responder ID
	// Epoch is the one whose keys the handshake makes.
	Epoch uint64
	// Binding is what else both ends must agree on, such as what they have sent each other before.
	Binding []byte
}

// ErrHandshake: a message is not the one that the peer has sent in this handshake, or the peer has another token.
var ErrHandshake = errors.New("seal: the handshake fails")

// MessageSize is the length of each of the two messages, in bytes: a public key and a tag.
const MessageSize = 32 + TagSize

// Keys are what a handshake results in: the Secret for the records that this end sends, and for those that it receives.
type Keys struct{ Send, Receive *Secret }

// Handshake is the initiator's end, until the answer has come.
type Handshake struct {
	state *noise.HandshakeState
	label string
}

// suite is that of Noise_NNpsk0_25519_ChaChaPoly_SHA256.
var suite = noise.NewCipherSuite(noise.DH25519, noise.CipherChaChaPoly, noise.HashSHA256)

// Initiate begins a handshake and returns its first message.
func (s *Secret) Initiate(p Parties) (*Handshake, []byte, error) { return s.initiate(p, nil) }

func (s *Secret) initiate(p Parties, random io.Reader) (*Handshake, []byte, error) {
	state, err := s.handshake(p, true, random)
	if err != nil {
		return nil, nil, err
	}
	message, _, _, err := state.WriteMessage(nil, nil)
	if err != nil {
		return nil, nil, err
	}
	return &Handshake{state, s.label}, message, nil
}

// Respond answers the first message of a handshake. The keys may be used to open records at once, and to seal them once
// one of the initiator's has been opened: only then it is known to have the answer.
func (s *Secret) Respond(p Parties, message []byte) (answer []byte, keys Keys, err error) {
	return s.respond(p, message, nil)
}

func (s *Secret) respond(p Parties, message []byte, random io.Reader) (answer []byte, keys Keys, err error) {
	if len(message) != MessageSize {
		return nil, Keys{}, ErrHandshake
	}
	state, err := s.handshake(p, false, random)
	if err != nil {
		return nil, Keys{}, err
	}
	if _, _, _, err = state.ReadMessage(nil, message); err != nil {
		return nil, Keys{}, ErrHandshake
	}
	answer, toResponder, toInitiator, err := state.WriteMessage(nil, nil)
	if err != nil {
		return nil, Keys{}, ErrHandshake
	}
	return answer, keysOf(s.label, toInitiator, toResponder), nil
}

// Finish takes the answer. It can be called once: after an error, begin another handshake.
func (h *Handshake) Finish(answer []byte) (Keys, error) {
	state := h.state
	h.state = nil
	if state == nil || len(answer) != MessageSize {
		return Keys{}, ErrHandshake
	}
	_, toResponder, toInitiator, err := state.ReadMessage(nil, answer)
	if err != nil {
		return Keys{}, ErrHandshake
	}
	return keysOf(h.label, toResponder, toInitiator), nil
}

func keysOf(label string, send, receive *noise.CipherState) Keys {
	ours, theirs := send.UnsafeKey(), receive.UnsafeKey()
	k := Keys{extract(ours[:], label), extract(theirs[:], label)}
	clear(ours[:])
	clear(theirs[:])
	return k
}

func (s *Secret) handshake(p Parties, initiator bool, random io.Reader) (*noise.HandshakeState, error) {
	return noise.NewHandshakeState(noise.Config{
		CipherSuite: suite, Random: random, Pattern: noise.HandshakeNN, Initiator: initiator, Prologue: p.prologue(s.label),
		PresharedKey: s.expand(forHandshake, nil, 32), PresharedKeyPlacement: 0,
	})
}

// prologue is all that both ends must agree on. Each field has a length of its own or in front of it.
func (p *Parties) prologue(label string) []byte {
	b := append([]byte(nil), version+"noise\x00"...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(label)))
	b = append(b, label...)
	b = append(b, p.Initiator[:]...)
	b = append(b, p.Responder[:]...)
	b = binary.BigEndian.AppendUint64(b, p.Epoch)
	b = binary.BigEndian.AppendUint32(b, uint32(len(p.Binding)))
	return append(b, p.Binding...)
}
