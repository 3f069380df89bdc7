package handshake

import (
	"crypto/hmac"
	"crypto/sha256"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/record"
)

// Label names what keys are derived for.
const Label = "sctpmpi sctp 7"

// Sealing is how a process seals its messages, in records.
type Sealing struct {
	Policy seal.Policy // not Off
	AES    bool        // the processor has instructions for it
}

// policy returns how the process seals its messages.
func (t *Terms) policy() seal.Policy {
	if t.Sealing == nil {
		return seal.Off
	}
	return t.Sealing.Policy
}

// Proof is how the two ends of an association prove to each other that they know the token, when both hellos are known.
type Proof struct {
	terms      *Terms
	own, peers *Hello
	secret     *seal.Secret    // nil if messages are not sealed
	noise      *seal.Handshake // of the end that begins
}

// Prove begins the proof. It returns what the peer must be sent at once, nil if the peer begins.
func (t *Terms) Prove(own, peers *Hello) (p *Proof, message []byte, err error) {
	p = &Proof{terms: t, own: own, peers: peers}
	if own.policy == seal.Off || own.policy != peers.policy {
		return p, t.mac(own, peers), nil
	}
	p.secret = seal.NewSecret(t.Token, Label)
	if p.begins() {
		p.noise, message, err = p.secret.Initiate(p.parties())
	}
	return p, message, err
}

// begins reports whether this end sends the first message of Noise.
func (p *Proof) begins() bool { return p.own.From < p.own.To }

// parties are what Noise is bound to: both hellos, whose nonces are used once.
func (p *Proof) parties() seal.Parties {
	first, second := p.own, p.peers
	if !p.begins() {
		first, second = second, first
	}
	return seal.Parties{
		Initiator: first.nonce, Responder: second.nonce, Binding: append(first.Encode(), second.Encode()...),
	}
}

// Verify checks the peer's proof. The answer, unless nil, must be sent before anything else. All that is sent afterwards, and
// all that comes, is sealed by the Cipher, unless that is nil.
func (p *Proof) Verify(proof []byte) (answer []byte, c *record.Cipher, err error) {
	if p.secret == nil {
		if !hmac.Equal(proof, p.terms.mac(p.peers, p.own)) {
			return nil, nil, errToken
		}
		return nil, nil, nil
	}
	var keys seal.Keys
	if p.noise != nil {
		keys, err = p.noise.Finish(proof)
	} else {
		answer, keys, err = p.secret.Respond(p.parties(), proof)
	}
	if err != nil {
		return nil, nil, errToken
	}
	return answer, record.New(keys, p.recordTerms()), nil
}

// recordTerms are those of the records that this end sends.
func (p *Proof) recordTerms() seal.Terms {
	return seal.Terms{
		From: p.own.nonce, To: p.peers.nonce, Mode: p.own.policy.Mode(),
		Suite: seal.SuiteFor(seal.Identity{AES: p.own.aes}, seal.Identity{AES: p.peers.aes}),
	}
}

// mac is the proof of the end that sent the hello own, where messages are not sealed. It covers the nonces of both ends, so that
// it is valid for this association only.
func (t *Terms) mac(own, others *Hello) []byte {
	mac := hmac.New(sha256.New, t.Token)
	mac.Write(own.Encode())
	mac.Write(others.Encode())
	return mac.Sum(nil)
}
