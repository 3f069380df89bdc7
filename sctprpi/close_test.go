package sctprpi

import (
	"context"
	"net/netip"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A peer that has ended cannot repeat its last packet. Close does not wait for it until it
// has been tried again and again, and that it has not come is no error.
func TestCloseDoesNotDependOnTheLastPacket(t *testing.T) {
	listen := func(c socket.Config, local netip.Addr, port uint16) (socket.Core, error) {
		return engine.Open(engine.Config{
			Config: c, Addrs: []netip.Addr{local}, UDPPort: port,
			Network: enginetest.Drop(enginetest.IsShutdownComplete),
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
