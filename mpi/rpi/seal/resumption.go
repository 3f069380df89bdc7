package seal

import "crypto/sha256"

// Resumption is what a handshake leaves for further connections between its two ends. The keys of each follow from secrets of the
// handshake, as where TLS 1.3 resumes from a pre-shared key alone (RFC 8446, sections 2.2 and 7.1): there are no public keys, and no
// round trip for them. The end that makes a connection gives it a number, and begins it with a first flight, which the other end
// of this handshake opens once, and no other process at all.
//
// The secrets are alive as long as the Resumption. With them one can read all connections that were made of them, those that have ended
// too, and none of before the handshake. Any goroutine may use it.
type Resumption struct {
	// Sent names it in first flights of this end, Received in those of the other one. Both may be read by all.
	Sent, Received ID

	sending, receiving *Secret // of connections that this end makes, and that the other one makes
	sealer             *Sealer
	opener             *Opener
}

// Resumption returns what further connections are made of. terms are those of the records that this end sends.
func (k Keys) Resumption(terms Terms) *Resumption {
	r := &Resumption{sending: k.Send.derive(forResumption), receiving: k.Receive.derive(forResumption)}
	r.Sent, r.Received = r.sending.name(), r.receiving.name()
	r.sealer, r.opener = r.sending.Sealer(terms), r.receiving.Opener(terms.Reversed())
	return r
}

// Dial makes the first flight of a new connection, and the keys of its records:
//
//	header | number of the connection, 8 bytes | payload | tag of 16 bytes
//
// The header can be read by all, the payload in Mode Auth alone. It fails with ErrSpent after Limit connections.
func (r *Resumption) Dial(header, payload []byte) (flight []byte, k Keys, err error) {
	b := make([]byte, len(header)+CounterSize, FlightSize(len(header), len(payload)))
	copy(b, header)
	if flight, err = r.sealer.Seal(append(b, payload...), len(b)); err != nil {
		return nil, Keys{}, err
	}
	forth, back := r.sending.connection(flight[len(header):])
	return flight, Keys{Send: forth, Receive: back}, nil
}

// Accept opens the first flight of a connection that the other end makes, in place, and returns its payload and the keys of the
// connection's records. A flight that is not genuine, was opened before, or comes more than Window connections late is an error.
func (r *Resumption) Accept(flight []byte, header int) (payload []byte, k Keys, err error) {
	if payload, err = r.opener.Open(flight, header+CounterSize); err != nil {
		return nil, Keys{}, err
	}
	forth, back := r.receiving.connection(flight[header:])
	return payload, Keys{Send: back, Receive: forth}, nil
}

// FlightSize returns the length of a first flight in bytes.
func FlightSize(header, payload int) int { return header + CounterSize + payload + TagSize }

// connection returns the secrets of the connection with the number that b begins with: for what the end that makes it sends, and for what comes back.
func (s *Secret) connection(b []byte) (forth, back *Secret) {
	keys := s.expand(forConnection, b[:CounterSize], 2*sha256.Size)
	return &Secret{keys[:sha256.Size], s.label}, &Secret{keys[sha256.Size:], s.label}
}

// name is a name that tells nothing of the Secret.
func (s *Secret) name() ID { return ID(s.expand(forName, nil, len(ID{}))) }
