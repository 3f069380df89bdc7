package tunnel

import (
	"crypto/tls"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// Conn is a connection whose other end has proven the secret.
type Conn struct {
	*tls.Conn
	raw *socket
}

func newConn(raw net.Conn, over func(net.Conn) *tls.Conn) *Conn {
	s := &socket{Conn: raw}
	return &Conn{over(s), s}
}

// Read takes for an end only what the other end has said to be one. TLS of Go also does so when the connection ends between records.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == io.EOF && c.raw.ended.Load() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// socket knows whether it has come to its end.
type socket struct {
	net.Conn
	ended atomic.Bool
}

func (s *socket) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if err != nil {
		s.ended.Store(true)
	}
	return n, err
}

// silence is how long the other host may be silent.
const silence = time.Minute

// keepAlive has the system end an idle connection when the other host does not answer any more.
func keepAlive(raw net.Conn) {
	if conn, ok := raw.(*net.TCPConn); ok {
		_ = conn.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: silence / 4, Interval: silence / 4, Count: 3})
	}
}
