package seal

// ApartSize is how many bytes at the beginning of its payload a record in two parts has encrypted apart.
const ApartSize = 128

// SealApart makes a record in two parts: b has the header and the first ApartSize bytes of the payload, rest is what
// follows them. It is encrypted from where it lies into b's array, so that it need not be copied before; it does not overlap
// that. It allocates nothing if b has room for rest and the tag. OpenApart opens the record, and Open does not: let
// the header tell which it is. It fails with ErrSpent after Limit records.
func (s *Sealer) SealApart(b []byte, header int, rest []byte) ([]byte, error) {
	if s.key.readable {
		return s.Seal(append(b, rest...), header)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	counter, ok := s.draw(b[:header])
	if !ok {
		return nil, ErrSpent
	}
	s.start.crypt(&s.key, counter, b[header:header+ApartSize])
	s.key.setNonce(counter, all)
	return s.key.aead.Seal(b[:header+ApartSize], s.key.nonce[:], rest, b[:header+ApartSize]), nil
}

// OpenApart is Open for what SealApart has made.
func (o *Opener) OpenApart(b []byte, header int) (payload []byte, err error) {
	return o.openAs(b, header, ApartSize, inWindow)
}

// scratch is room for the beginning of a payload, and for a tag.
type scratch [ApartSize + TagSize]byte

// crypt encrypts the beginning of a payload, or decrypts it: the ciphers of both suites XOR what they are given with a key
// stream, so the same does both. The tag of the rest authenticates the encrypted beginning too, and must have been verified before
// this decrypts. The tag that is made here means nothing, and goes nowhere.
func (s *scratch) crypt(key *protection, counter uint64, beginning []byte) {
	key.setNonce(counter, start)
	key.aead.Seal(s[:0], key.nonce[:], beginning, nil)
	copy(beginning, s[:])
}
