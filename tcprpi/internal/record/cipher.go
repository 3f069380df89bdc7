package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Lengths in bytes. A short message of the default limit, with its envelope, fits into one record.
const (
	MaxPayload = 64<<10 + 128
	opening    = 256 // of the first of two records that leave together
	headerSize = 4 + seal.CounterSize
	// Overhead is how much longer a record is than its payload.
	Overhead = headerSize + seal.TagSize
)

// perKey is how many records a key seals before the next one takes its place.
const perKey = 1 << 23

// Errors of what has come on a connection.
var (
	// ErrChanged: the bytes are not those that the peer has sent.
	ErrChanged = errors.New("a record was changed on the way")
	// ErrCut is an end of the stream (io.EOF) that the peer has not announced.
	ErrCut = fmt.Errorf("it was cut: %w", io.EOF)
)

// Cipher has the keys of one end of a connection. One goroutine at a time seals, and one opens.
type Cipher struct {
	// sealer and opener are those of the present keys, nil before the first record.
	sealer             *seal.Sealer
	opener             *seal.Opener
	sending, receiving seal.Chain
}

// NewCipher returns the Cipher of the keys that a handshake has resulted in. terms are those of the first records that this
// end sends.
func NewCipher(keys seal.Keys, terms seal.Terms) *Cipher {
	return newCipher(keys, terms, perKey)
}

func newCipher(keys seal.Keys, terms seal.Terms, perKey int) *Cipher {
	return &Cipher{
		sending:   seal.NewChain(keys.Send, terms, perKey),
		receiving: seal.NewChain(keys.Receive, terms.Reversed(), perKey),
	}
}

// SendOnly forgets the keys of what the peer sends, where it sends nothing any more.
func (c *Cipher) SendOnly() {
	if c != nil {
		c.opener, c.receiving = nil, seal.Chain{}
	}
}

// ReceiveOnly forgets the keys of what this end sends, where it sends nothing any more.
func (c *Cipher) ReceiveOnly() {
	if c != nil {
		c.sealer, c.sending = nil, seal.Chain{}
	}
}

// seal makes a record of the payload behind the first headerSize bytes of b, in place. b has room for the tag.
func (c *Cipher) seal(b []byte) ([]byte, error) {
	if c.sending.Spent() {
		c.sealer = c.sending.NextSealer()
	}
	c.sending.Count(1)
	binary.BigEndian.PutUint32(b, uint32(len(b)-headerSize))
	return c.sealer.Seal(b, headerSize)
}

// size returns the length of the record that begins with b, or 0 if b is too short to tell.
func size(b []byte) (int, error) {
	if len(b) < headerSize {
		return 0, nil
	}
	n := binary.BigEndian.Uint32(b)
	if n > MaxPayload {
		return 0, ErrChanged
	}
	return int(n) + Overhead, nil
}

// open returns the payload of the record that b is, decrypted in place.
func (c *Cipher) open(b []byte) ([]byte, error) {
	if c.receiving.Spent() {
		c.opener = c.receiving.NextOpener()
	}
	payload, err := c.opener.OpenNext(b, headerSize)
	if err != nil {
		return nil, ErrChanged
	}
	c.receiving.Count(1)
	return payload, nil
}

// Send writes one record: for the handshake, which ends before there is a Stream.
func (c *Cipher) Send(w io.Writer, payload []byte) error {
	b, err := c.seal(append(make([]byte, headerSize, Overhead+len(payload)), payload...))
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// Receive reads the next record and no more. Its payload has most bytes at most.
func (c *Cipher) Receive(r io.Reader, most int) ([]byte, error) {
	b := make([]byte, headerSize, Overhead+most)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	n, err := size(b)
	if err != nil || n > cap(b) {
		return nil, ErrChanged
	}
	b = b[:n]
	if _, err := io.ReadFull(r, b[headerSize:]); err != nil {
		return nil, err
	}
	return c.open(b)
}
