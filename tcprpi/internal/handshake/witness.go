package handshake

import (
	"context"
	"errors"
	"net"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// ForWitness is the Hello.Purpose of a connection that asks whether the acceptor lives, in both
// transports. The connection is closed after the answer.
const ForWitness = 255

// Witness asks a peer whether it lives. It returns nil if the peer lives, and rpi.ErrGivenUp if it lives and counts this
// process as dead. A process answers in every mode of progress, and even if other connections with
// it are full.
func (s *Self) Witness(ctx context.Context, rank matching.Rank, meter *socket.Meter) error {
	peer, err := s.Find(ctx, rank)
	if err != nil {
		return err
	}
	for {
		err := s.ask(ctx, peer, rank, meter)
		if !errors.Is(err, ErrCut) || ctx.Err() != nil {
			return err
		}
		socket.Rest(ctx)
	}
}

// ask is one attempt of Witness.
func (s *Self) ask(ctx context.Context, peer Peer, rank matching.Rank, meter *socket.Meter) error {
	nc, err := socket.Dial(ctx, peer.Address, meter)
	if err != nil {
		return err
	}
	defer nc.Close()
	defer socket.InterruptAtEnd(ctx, nc)()
	result, _, err := s.Initiate(socket.Metered{TCPConn: nc, Meter: meter}, peer, Hello{Purpose: ForWitness, To: rank})
	if err == nil && result != Accepted {
		err = errors.New("it cannot tell")
	}
	return err
}

// Testify answers a peer that asks whether this process lives. dead: this process counts that peer as dead.
func (v *Visit) Testify(nc *net.TCPConn, meter *socket.Meter, dead bool) {
	result := Accepted
	if dead {
		result = GivenUp
	}
	_ = v.Answer(socket.Metered{TCPConn: nc, Meter: meter}, result)
	nc.Close()
}
