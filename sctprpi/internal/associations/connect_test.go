package associations

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/sockettest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// caller is rank 0 of a job whose launcher does not answer.
type caller struct {
	*transport
	asking sync.Mutex
	asked  []int
}

const callTimeout = 30 * time.Second

func newCaller(t *testing.T, size int) *caller {
	c := new(caller)
	c.transport = newTransport(t,
		rpi.Config{Size: size, Token: token, ConnectTimeout: callTimeout, Lookup: c.ask},
		Options{Listen: func(socket.Config, []netip.Addr, uint16) (socket.Core, error) { return sockettest.Sink{}, nil }})
	return c
}

func (c *caller) ask(ctx context.Context, peer int) (string, error) {
	c.asking.Lock()
	c.asked = append(c.asked, peer)
	c.asking.Unlock()
	<-ctx.Done()
	return "", context.Cause(ctx)
}

// called returns the peers whose addresses it has asked for, in order.
func (c *caller) called() []int {
	c.asking.Lock()
	defer c.asking.Unlock()
	return slices.Clone(c.asked)
}

// need asks for an association, and lets what follows happen.
func (c *caller) need(peer int, now bool) {
	c.transport.need(matching.Rank(peer), now)
	synctest.Wait()
}

// cause returns why a peer has failed, nil if it has not.
func (c *caller) cause(peer int) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.failed[matching.Rank(peer)]
}

// TestFewPeersAreCalledAtATime: the others wait for their turn, and their time-out begins with it.
func TestFewPeersAreCalledAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const peers = 2*maxCalls + 1
		c := newCaller(t, peers+1)
		defer c.Kill()
		for peer := 1; peer <= peers; peer++ {
			c.need(peer, true)
		}
		time.Sleep(callTimeout / 2)
		for over := 0; over < peers; over += maxCalls {
			called := min(over+maxCalls, peers)
			require.ElementsMatch(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}[:called], c.called())
			for peer := 1; peer <= peers; peer++ {
				require.Equal(t, peer <= over, c.cause(peer) != nil, "rank %d", peer)
			}
			time.Sleep(callTimeout)
			synctest.Wait()
		}
		for peer := 1; peer <= peers; peer++ {
			require.ErrorContains(t, c.cause(peer), "no connection within 30s")
		}
	})
}

// A peer of which only a receive is posted makes the association itself when it sends. A rank that
// has something to send does not wait for that.
func TestAPeerThatIsOnlyReceivedFromIsCalledLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t, 4)
		defer c.Kill()
		c.need(1, false)
		c.need(2, false)
		time.Sleep(courtesy / 2)
		synctest.Wait()
		require.Empty(t, c.called())
		c.need(2, true)
		require.Equal(t, []int{2}, c.called())
		time.Sleep(courtesy)
		synctest.Wait()
		require.Equal(t, []int{2, 1}, c.called())
	})
}
