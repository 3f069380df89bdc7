package socket

import (
	"context"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Open opens the port where peers connect, and a Watcher for the connections. A job of one needs
// neither.
func Open(cfg rpi.Config, meter *Meter) (l *net.TCPListener, w *Watcher, err error) {
	if cfg.Size == 1 {
		return nil, nil, nil
	}
	if w, err = NewWatcher(meter); err != nil {
		return nil, nil, err
	}
	if l, err = listen(cfg); err != nil {
		w.Close()
		return nil, nil, err
	}
	return l, w, nil
}

// Release closes what Open has opened. No goroutine may wait for the Watcher any more.
func Release(l *net.TCPListener, w *Watcher) {
	if w != nil {
		l.Close()
		w.Close()
	}
}

// listen opens the port where peers connect. Go's default is Multipath TCP, which each connection without it, as ours, has to fall back from.
func listen(cfg rpi.Config) (*net.TCPListener, error) {
	lc := net.ListenConfig{KeepAlive: noKeepAlive}
	lc.SetMultipathTCP(false)
	var err error
	local := cfg.Bind[0] // a connection has one path
	for port := int(cfg.PortLow); port <= int(cfg.PortHigh); port++ {
		at := net.TCPAddr{IP: local.AsSlice(), Zone: local.Zone(), Port: port}
		var l net.Listener
		l, err = lc.Listen(context.Background(), "tcp", at.String())
		if err == nil {
			return l.(*net.TCPListener), nil
		}
	}
	return nil, cfg.CannotListen(err)
}

// noKeepAlive is no time between keepalive probes. TCP need not find out that a peer is dead: package heartbeat does. TCP_USER_TIMEOUT would also
// break connections whose receiver takes no data. Keepalive probes would break connections of large jobs on one host: the kernel sends the
// probes of many connections in one burst, and the queue of a device drops those beyond net.core.netdev_max_backlog, each time.
const noKeepAlive = -1

// Dial connects to a peer.
func Dial(ctx context.Context, address string, meter *Meter) (*net.TCPConn, error) {
	d := net.Dialer{KeepAlive: noKeepAlive}
	meter.Connects.Add(1)
	nc, err := d.DialContext(ctx, "tcp", address)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return nc.(*net.TCPConn), nil
}

// Breather is the pause before the next attempt when the kernel or a peer has refused one.
const Breather = 20 * time.Millisecond

// Rest waits for that time, or until ctx ends.
func Rest(ctx context.Context) {
	rest := time.NewTimer(Breather)
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done():
	}
}

// InterruptAtEnd ends blocking calls on a connection when ctx ends, unless stop is called before.
func InterruptAtEnd(ctx context.Context, nc net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { Interrupt(nc) })
}

// Interrupt ends blocking calls on a connection.
func Interrupt(nc net.Conn) { nc.SetDeadline(time.Unix(1, 0)) }
