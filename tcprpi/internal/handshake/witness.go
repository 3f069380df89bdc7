package handshake

import (
	"context"
	"errors"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// ForWitness is the Hello.Purpose of a connection that asks whether the acceptor
// lives, in both transports. It is closed when the answer is there.
const ForWitness = 255

// Witness asks a peer whether it lives. There is no error if it does, and does
// not count this process as dead. A process answers in every mode of progress, and
// whatever may be in the way on the connections that there are.
func Witness(ctx context.Context, cfg rpi.Config, protocol Protocol, peer matching.Rank, meter *socket.Meter) error {
	address, err := cfg.Lookup(ctx, int(peer))
	if err != nil {
		return err
	}
	var d net.Dialer
	meter.Connects.Add(1)
	nc, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer nc.Close()
	defer socket.InterruptAtEnd(ctx, nc)()
	verdict, err := Greet(socket.Metered{TCPConn: nc.(*net.TCPConn), Meter: meter}, cfg.Token,
		Hello{Protocol: protocol, Purpose: ForWitness, From: matching.Rank(cfg.Rank), To: peer})
	if err == nil && verdict != Welcome {
		err = errors.New("it cannot tell")
	}
	return err
}

// Testify answers one that asks whether this process lives: whether it does to
// that peer.
func Testify(nc *net.TCPConn, meter *socket.Meter, alive bool) {
	v := Welcome
	if !alive {
		v = ClosedDown
	}
	_, _ = socket.Metered{TCPConn: nc, Meter: meter}.Write([]byte{byte(v)})
	nc.Close()
}
