package handshake

import (
	"context"
	"errors"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// ForWitness is the Hello.Purpose of a connection that asks whether the acceptor lives, in both
// transports. The connection is closed after the answer.
const ForWitness = 255

// Witness asks a peer whether it lives. It returns nil if the peer lives and does not count this
// process as dead. A process answers in every mode of progress, and even if other connections with
// it are full.
func Witness(ctx context.Context, cfg rpi.Config, protocol Protocol, peer matching.Rank, meter *socket.Meter) error {
	address, err := cfg.Lookup(ctx, int(peer))
	if err != nil {
		return err
	}
	for {
		err := ask(ctx, cfg, protocol, peer, address, meter)
		if !errors.Is(err, ErrCut) || ctx.Err() != nil {
			return err
		}
		socket.Rest(ctx)
	}
}

// ask is one attempt of Witness.
func ask(ctx context.Context, cfg rpi.Config, protocol Protocol, peer matching.Rank, address string, meter *socket.Meter) error {
	var d net.Dialer
	meter.Connects.Add(1)
	nc, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer nc.Close()
	defer socket.InterruptAtEnd(ctx, nc)()
	result, err := Initiate(socket.Metered{TCPConn: nc.(*net.TCPConn), Meter: meter}, cfg.Token,
		Hello{Protocol: protocol, Purpose: ForWitness, From: matching.Rank(cfg.Rank), To: peer})
	if err == nil && result != Accepted {
		err = errors.New("it cannot tell")
	}
	return err
}

// Testify answers a peer that asks whether this process lives. alive is false if this process
// counts that peer as dead.
func Testify(nc *net.TCPConn, meter *socket.Meter, alive bool) {
	v := Accepted
	if !alive {
		v = ClosedDown
	}
	_, _ = socket.Metered{TCPConn: nc, Meter: meter}.Write([]byte{byte(v)})
	nc.Close()
}
