package handshake

import (
	"net"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Server takes the connections that peers make with a process.
type Server struct {
	Self     *Self
	Gate     *Gate
	Listener *net.TCPListener
	Meter    *socket.Meter
	Life     *monitor.Life // of the transport
	// Refused is called when the kernel gives no connection. Answer is called in a goroutine of its own with one whose peer has proven its rank.
	Refused func(error)
	Answer  func(*net.TCPConn, *Visit, *Pending)
}

// Serve takes connections until the transport is over.
func (s *Server) Serve() {
	ctx := s.Life.Context
	for {
		nc, err := s.Listener.AcceptTCP()
		s.Meter.Accepts.Add(1)
		if err != nil {
			if ctx.Err() != nil {
				return
			}
			s.Gate.Evict() // descriptors may be missing
			s.Refused(err)
			socket.Rest(ctx)
			continue
		}
		pending := s.Gate.Enter(ctx, nc)
		if pending == nil {
			return
		}
		s.Life.Go(func() {
			defer pending.Leave()
			s.Receive(nc, pending)
		})
	}
}

// Receive takes one connection.
func (s *Server) Receive(nc *net.TCPConn, pending *Pending) {
	defer socket.InterruptAtEnd(s.Life.Context, nc)()
	visit, err := s.Self.Receive(s.Life.Context, socket.Metered{TCPConn: nc, Meter: s.Meter})
	if err != nil || !pending.Admit() {
		s.Meter.Strangers.Add(1)
		nc.Close() // no answer, since the peer has proven nothing
		return
	}
	s.Answer(nc, visit, pending)
}
