package socket

import (
	"context"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Listen opens the port where peers connect.
func Listen(cfg rpi.Config) (*net.TCPListener, error) {
	var err error
	for port := int(cfg.PortLow); port <= int(cfg.PortHigh); port++ {
		var l *net.TCPListener
		l, err = net.ListenTCP("tcp", &net.TCPAddr{IP: cfg.Bind.AsSlice(), Zone: cfg.Bind.Zone(), Port: port})
		if err == nil {
			return l, nil
		}
	}
	return nil, cfg.CannotListen(err)
}

// Breather is how long to rest before the next attempt at what the kernel or a
// peer has refused.
const Breather = 20 * time.Millisecond

// Rest waits that long, or until ctx ends.
func Rest(ctx context.Context) {
	rest := time.NewTimer(Breather)
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done():
	}
}

// InterruptAtEnd ends what blocks on a connection when ctx ends, unless it is
// stopped before.
func InterruptAtEnd(ctx context.Context, nc net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { Interrupt(nc) })
}

// Interrupt ends what blocks on a connection.
func Interrupt(nc net.Conn) { nc.SetDeadline(time.Unix(1, 0)) }
