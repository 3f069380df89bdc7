package tunnel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// A record is the length of its payload, a counter, the payload and a tag. One without payload ends its direction.
const (
	headerSize  = 4 + seal.CounterSize
	mostPayload = 32 << 10
	// perKey is how many records a key seals. The next one follows from it.
	perKey = 1 << 20
)

// errChanged says that what has come is not what the other end has sent.
var errChanged = errors.New("a record was changed on the way")

// Conn is a connection whose other end has proven the secret, or is about to.
type Conn struct {
	net.Conn

	// writing guards what follows.
	writing sync.Mutex
	sending seal.Chain
	sealer  *seal.Sealer
	out     []byte

	// One goroutine reads.
	in        *bufio.Reader
	receiving seal.Chain
	opener    *seal.Opener
	record    []byte // memory of the last record
	payload   []byte // what is left of it
	ended     bool
}

// newConn returns the Conn of the keys that a handshake has resulted in. terms are those of what this end sends.
func newConn(raw net.Conn, keys seal.Keys, terms seal.Terms) *Conn {
	return &Conn{
		Conn: raw, in: bufio.NewReaderSize(raw, mostPayload),
		sending: seal.NewChain(keys.Send, terms, perKey), receiving: seal.NewChain(keys.Receive, terms.Reversed(), perKey),
	}
}

// Write implements net.Conn.
func (c *Conn) Write(b []byte) (n int, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for n < len(b) && err == nil {
		part := b[n:min(n+mostPayload, len(b))]
		if err = c.send(part); err == nil {
			n += len(part)
		}
	}
	return n, err
}

// CloseWrite says that nothing more comes from this end.
func (c *Conn) CloseWrite() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.send(nil)
}

// send sends a record.
func (c *Conn) send(payload []byte) error {
	if c.sending.Spent() {
		c.sealer = c.sending.NextSealer()
	}
	c.sending.Count(1)
	b := binary.BigEndian.AppendUint32(c.out[:0], uint32(len(payload)))
	b = append(append(b, make([]byte, seal.CounterSize)...), payload...)
	b, err := c.sealer.Seal(b, headerSize)
	if err == nil {
		c.out = b
		_, err = c.Conn.Write(b)
	}
	return err
}

// Read implements net.Conn. It takes for an end only what the other end has said to be one. After an error there is no use of the Conn.
func (c *Conn) Read(b []byte) (n int, err error) {
	if len(c.payload) == 0 && !c.ended {
		if c.payload, err = c.receive(); err != nil {
			return 0, err
		}
		c.ended = len(c.payload) == 0
	}
	if c.ended {
		return 0, io.EOF
	}
	n = copy(b, c.payload)
	c.payload = c.payload[n:]
	return n, nil
}

// Drain drops what still comes, up to the end or for a time, and may be called while another goroutine reads: a socket that is closed
// before all has been read takes back what was sent last.
func (c *Conn) Drain(limit time.Duration) {
	_ = c.Conn.SetReadDeadline(time.Now().Add(limit))
	_, _ = io.Copy(io.Discard, c.Conn)
}

// receive returns the payload of the next record.
func (c *Conn) receive() ([]byte, error) {
	c.record = append(c.record[:0], make([]byte, headerSize)...)
	if _, err := io.ReadFull(c.in, c.record); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	size := binary.BigEndian.Uint32(c.record)
	if size > mostPayload {
		return nil, errChanged
	}
	c.record = append(c.record, make([]byte, size+seal.TagSize)...)
	if _, err := io.ReadFull(c.in, c.record[headerSize:]); err != nil {
		return nil, err
	}
	if c.receiving.Spent() {
		c.opener = c.receiving.NextOpener()
	}
	payload, err := c.opener.OpenNext(c.record, headerSize)
	if err != nil {
		return nil, errChanged
	}
	c.receiving.Count(1)
	return payload, nil
}

// silence is how long the other host may be silent.
const silence = time.Minute

// keepAlive has the system end an idle connection when the other host does not answer any more.
func keepAlive(raw net.Conn) {
	if conn, ok := raw.(*net.TCPConn); ok {
		_ = conn.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: silence / 4, Interval: silence / 4, Count: 3})
	}
}
