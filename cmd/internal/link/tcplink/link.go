// Package tcplink is the link over TCP as Go programs commonly use it: a net.TCPConn, which has
// TCP_NODELAY by default. The length precedes each message.
package tcplink

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

const (
	headerSize = 4 // the length of a message, in network byte order
	// batchBytes bounds what one system call sends of small messages, and what it receives.
	batchBytes = 64 << 10
)

// Transport makes links over TCP.
type Transport struct{}

// Listen implements link.Transport.
func (Transport) Listen(_ link.Options, announce func(string)) (link.Link, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	announce(l.Addr().String())
	conn, err := l.Accept()
	if err != nil {
		return nil, err
	}
	return newTCP(conn), nil
}

// Dial implements link.Transport.
func (Transport) Dial(_ link.Options, addr string) (link.Link, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return newTCP(conn), nil
}

type tcp struct {
	net.Conn // with TCP_NODELAY, which is Go's default
	reader   *bufio.Reader
	writer   *bufio.Writer
	message  []byte
}

func newTCP(c net.Conn) *tcp {
	return &tcp{Conn: c, reader: bufio.NewReaderSize(c, batchBytes), writer: bufio.NewWriterSize(c, batchBytes)}
}

// buffer returns memory for a message.
func (t *tcp) buffer(size int) []byte {
	if len(t.message) < size {
		t.message = make([]byte, size)
	}
	return t.message[:size]
}

func (t *tcp) Send(size, count int) error {
	message := t.buffer(size)
	for range count {
		if headerSize+size > t.writer.Available() {
			if err := t.writer.Flush(); err != nil {
				return err
			}
		}
		header := binary.BigEndian.AppendUint32(t.writer.AvailableBuffer(), uint32(size))
		if headerSize+size > t.writer.Size() { // a system call of its own is cheaper than a copy
			v := net.Buffers{header, message}
			if _, err := v.WriteTo(t.Conn); err != nil {
				return err
			}
			continue
		}
		_, _ = t.writer.Write(header) // there is room for both
		_, _ = t.writer.Write(message)
	}
	return t.writer.Flush()
}

func (t *tcp) Receive(size, count int) error {
	message := t.buffer(size)
	for range count {
		header, err := t.reader.Peek(headerSize)
		if err != nil {
			return err
		}
		if n := binary.BigEndian.Uint32(header); n != uint32(size) {
			return fmt.Errorf("a message of %d bytes has arrived, not of %d", n, size)
		}
		_, _ = t.reader.Discard(headerSize)
		if _, err := io.ReadFull(t.reader, message); err != nil {
			return err
		}
	}
	return nil
}
