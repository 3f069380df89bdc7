package associations

import (
	"context"
	"net/netip"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A peer that has ended cannot repeat its last packet. Close does not wait for it until it
// has been tried again and again, and that it has not come is no error.
func TestCloseDoesNotDependOnTheLastPacket(t *testing.T) {
	listen := func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
		return engine.Open(engine.Config{
			Config: c, Addrs: local, UDPPort: port,
			Network: enginetest.Drop(enginetest.IsShutdownComplete),
		})
	}
	ranks := pair(t, Options{Listen: listen})
	ranks[0].need(1, true)
	ranks[0].waitOpen(1)
	ranks[0].say(t, 1, "last")
	ranks[1].waitHeard(0, "last")
	ctx, cancel := context.WithTimeout(t.Context(), 30*farewell)
	defer cancel()
	var all sync.WaitGroup
	for _, r := range ranks {
		all.Go(func() {
			assert.NoError(t, r.Close(ctx))
		})
	}
	all.Wait()
}

// TestLateComerIsToldThatWeHaveFinalized: while Close waits for others.
func TestLateComerIsToldThatWeHaveFinalized(t *testing.T) {
	v := victim(t, nil)
	v.need(0, true) // its Lookup lasts
	ended := make(chan error)
	go func() { ended <- v.Close(t.Context()) }()
	v.wait(func() bool { return v.life.Closing })
	o := dial(t, v)
	require.Equal(t, handshake.ClosedDown, o.ShakeHands(rank1(), 2))
	o.Await(socket.Closed)
	v.Kill()
	require.NoError(t, <-ended)
}
