package sctprpi

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// curt loses the last packet of every association, and what the host says to packets that
// nobody is there to take any more.
type curt struct{ engine.Network }

func (curt) OnUnreachable(func(netip.AddrPort, []byte)) {}

func (c curt) Send(b *packet.Batch) error {
	for i := range b.Packets() {
		whole := slices.Concat(b.Parts(&b.Packets()[i])...)
		if wire.ChunkType(whole[wire.HeaderSize]) == wire.TypeShutdownComplete {
			return nil // it goes alone
		}
	}
	return c.Network.Send(b)
}

// A peer that has ended cannot repeat its last packet. Close does not wait for it until it
// has been tried again and again, and that it has not come is no error.
func TestCloseDoesNotDependOnTheLastPacket(t *testing.T) {
	listen := func(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
		return engine.Listen(engine.Config{
			Config: c, Addrs: []netip.Addr{local}, UDPPort: port,
			Network: func(n engine.Network) engine.Network { return curt{n} },
		})
	}
	p := newPair(t, Options{Listen: listen})
	p.send(t, 1, new(rpi.Request), new(rpi.Request), 1, []byte("last"), make([]byte, 4))
	ctx, cancel := context.WithTimeout(t.Context(), 4*farewell)
	defer cancel()
	var all sync.WaitGroup
	for _, r := range p.ranks {
		all.Go(func() {
			assert.NoError(t, r.Close(ctx))
		})
	}
	all.Wait()
}
