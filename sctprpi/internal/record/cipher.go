package record

import (
	"encoding/binary"
	"errors"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Lengths in bytes.
const (
	headerSize = 8 + seal.CounterSize
	// Overhead is how much longer a record is than its message.
	Overhead = headerSize + seal.TagSize
)

// perKey is how many records of a key the socket takes before the next one takes its place. It may also take the place of one that has sealed
// sealedPerKey times as many, most of which the socket has refused: long before seal.Limit, and not so soon that records of three keys are on the way.
const (
	perKey       = 1 << 23
	sealedPerKey = 8
)

// ErrChanged: a message is not the one that the peer has sent next on its stream.
var ErrChanged = errors.New("a message was changed on the way")

// Cipher has the keys of one end of an association. One goroutine at a time sends, and one opens.
type Cipher struct {
	sealer *seal.Sealer
	// sealed is how many records the present key has sealed, most how many it may. used: the socket has taken one.
	sealed, most int
	used         bool
	// opener is that of the present key, last that of the one before it, nil if there is none.
	opener, last       *seal.Opener
	sending, receiving direction
}

// direction is what both ends know of one direction.
type direction struct {
	// Chain counts the records that the socket takes.
	seal.Chain
	// numbers are those of the next message, by stream.
	numbers map[socket.StreamID]uint32
}

// New returns the Cipher of the keys that a handshake has resulted in. terms are those of the first records that this end
// sends.
func New(keys seal.Keys, terms seal.Terms) *Cipher { return newCipher(keys, terms, perKey) }

func newCipher(keys seal.Keys, terms seal.Terms, perKey int) *Cipher {
	c := &Cipher{
		most:      sealedPerKey * perKey,
		sending:   direction{seal.NewChain(keys.Send, terms, perKey), make(map[socket.StreamID]uint32)},
		receiving: direction{seal.NewChain(keys.Receive, terms.Reversed(), perKey), make(map[socket.StreamID]uint32)},
	}
	c.opener = c.receiving.NextOpener()
	return c
}

// change goes on to the next key when the present one has sealed enough. Each has sealed something that the socket has taken: the peer
// knows only the key that follows.
func (c *Cipher) change() {
	if c.sending.Spent() || c.used && c.sealed >= c.most {
		c.sealer, c.sealed, c.used = c.sending.NextSealer(), 0, false
	}
}

// seal appends the record of a message to b, which has room for it.
func (c *Cipher) seal(b []byte, m *socket.Message) ([]byte, error) {
	d := &c.sending
	begin := len(b)
	b = binary.BigEndian.AppendUint16(b, uint16(m.Stream))
	b = binary.BigEndian.AppendUint16(b, uint16(d.Epoch()))
	b = binary.BigEndian.AppendUint32(b, d.numbers[m.Stream])
	b = append(b, make([]byte, seal.CounterSize)...)
	for _, piece := range m.Data {
		b = append(b, piece...)
	}
	sealed, err := c.sealer.Seal(b[begin:], headerSize)
	if err != nil {
		return b[:begin], err
	}
	c.sealed++
	d.numbers[m.Stream]++
	return b[:begin+len(sealed)], nil
}

// Open puts the message in place of the record that has come. It decrypts in place: the memory must be e's alone. After an
// error nothing more of the association can be used.
func (c *Cipher) Open(e *socket.Event) error {
	b := e.Payload
	if e.Unordered || e.Broken || !e.Begin || !e.End || len(b) < Overhead {
		return ErrChanged
	}
	d := &c.receiving
	stream, epoch, number := socket.StreamID(binary.BigEndian.Uint16(b)), binary.BigEndian.Uint16(b[2:]), binary.BigEndian.Uint32(b[4:])
	if stream != e.Stream || number != d.numbers[stream] {
		return ErrChanged
	}
	payload, err := c.openerOf(epoch).OpenUnseen(b, headerSize)
	if err != nil {
		return ErrChanged
	}
	d.numbers[stream]++
	e.Payload = payload
	return nil
}

// openerOf returns the opener for an epoch: the last one, the present one, or the next one, which then is the present one.
// That of any other does not open the record.
func (c *Cipher) openerOf(epoch uint16) *seal.Opener {
	d := &c.receiving
	switch epoch - uint16(d.Epoch()) {
	case 1:
		c.opener, c.last = d.NextOpener(), c.opener
	case 1<<16 - 1:
		if c.last != nil {
			return c.last
		}
	}
	return c.opener
}
