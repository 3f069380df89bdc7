package proxy

import (
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Remote is the process of a rank on another host.
type Remote struct {
	// Pid is the number of the process there.
	Pid int
	// Stdin, Stdout and Stderr are what the rank reads and writes. Only rank 0 reads something.
	Stdin, Stdout, Stderr *Stream
	// PMI is the connection by which it speaks PMI.
	PMI net.Conn

	host    *Host
	number  uint32
	ended   chan struct{}
	outcome process.Outcome
	stopped atomic.Bool // the proxy has said so last
}

// Number is the rank.
func (r *Remote) Number() int { return int(r.number) }

// Signal sends a signal to the rank and to what it has started. It does not wait.
func (r *Remote) Signal(s syscall.Signal) {
	r.host.conn.send(frame.Frame{Kind: frame.Signal, Rank: r.number, Payload: []byte(signalName(s))})
}

// Wait returns when the process has ended and what it has left behind in its group has been killed.
func (r *Remote) Wait() process.Outcome {
	<-r.ended
	return r.outcome
}

// Stopped reports whether the process had been stopped when this was asked before, and asks the proxy how it is now. It does not wait.
func (r *Remote) Stopped() bool {
	r.host.conn.send(frame.Frame{Kind: frame.State, Rank: r.number})
	return r.stopped.Load()
}

func (r *Remote) end(outcome process.Outcome) {
	r.outcome = outcome
	close(r.ended)
}

// Feed sends what it reads from source to the rank's standard input; nil stands for nothing. It returns when one of them ends.
func (r *Remote) Feed(source *os.File) {
	if source != nil {
		r.Stdin.pump(source)
	}
	_ = r.Stdin.Close()
}

// pmiConn is a stream as a connection. It has no deadlines, which a PMI server does not set on the connection of a known rank.
type pmiConn struct{ *Stream }

func (pmiConn) LocalAddr() net.Addr              { return address{} }
func (pmiConn) RemoteAddr() net.Addr             { return address{} }
func (pmiConn) SetDeadline(time.Time) error      { return nil }
func (pmiConn) SetReadDeadline(time.Time) error  { return nil }
func (pmiConn) SetWriteDeadline(time.Time) error { return nil }

// address is that of a rank, by its connection with a proxy.
type address struct{}

func (address) Network() string { return "proxy" }
func (address) String() string  { return "rank" }
