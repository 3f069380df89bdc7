package sctprpi

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
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// caller is rank 0 of a job whose launcher does not answer.
type caller struct {
	*Transport
	mu    sync.Mutex
	asked []int
}

const callTimeout = 30 * time.Second

func newCaller(t *testing.T, size int) *caller {
	c := new(caller)
	var err error
	c.Transport, err = New(
		rpi.Config{Size: size, Token: token, ConnectTimeout: callTimeout, Lookup: c.ask},
		Options{Listen: func(socket.Config, netip.Addr, uint16) (socket.Core, error) { return sink{}, nil }})
	require.NoError(t, err)
	return c
}

func (c *caller) ask(ctx context.Context, peer int) (string, error) {
	c.mu.Lock()
	c.asked = append(c.asked, peer)
	c.mu.Unlock()
	<-ctx.Done()
	return "", context.Cause(ctx)
}

// called returns the peers whose addresses it has asked for, in order.
func (c *caller) called() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// send starts a message to a peer.
func (c *caller) send(peer int) *rpi.Request {
	r := &rpi.Request{Op: rpi.OpSend, Peer: matching.Rank(peer), Type: 1, Elem: 1, Mode: rpi.Synchronous, Buf: []byte{7}}
	c.Start(r)
	inside{c.Transport}.Release()
	synctest.Wait()
	return r
}

// TestFewPeersAreCalledAtATime: the others wait for their turn, and their time-out begins with it.
func TestFewPeersAreCalledAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const peers = 2*maxCalls + 1
		c := newCaller(t, peers+1)
		defer c.Kill()
		var sends []*rpi.Request
		for peer := 1; peer <= peers; peer++ {
			sends = append(sends, c.send(peer))
		}
		time.Sleep(callTimeout / 2)
		for over := 0; over < peers; over += maxCalls {
			called := min(over+maxCalls, peers)
			require.ElementsMatch(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}[:called], c.called())
			for i, r := range sends {
				require.Equal(t, i < over, r.Completed(), "rank %d", r.Peer)
			}
			time.Sleep(callTimeout)
			synctest.Wait()
		}
		for _, r := range sends {
			require.ErrorContains(t, r.Err, "no connection within 30s")
		}
	})
}

// A peer of which only a receive is posted makes the association itself when it sends. A rank that
// has something to send does not wait for that.
func TestAPeerThatIsOnlyReceivedFromIsCalledLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t, 4)
		defer c.Kill()
		c.Start(receiveFrom(1))
		c.Start(receiveFrom(2))
		time.Sleep(courtesy / 2)
		synctest.Wait()
		require.Empty(t, c.called())
		c.send(2)
		require.Equal(t, []int{2}, c.called())
		time.Sleep(courtesy)
		synctest.Wait()
		require.Equal(t, []int{2, 1}, c.called())
	})
}
