package associations

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// flooded is a socket that refuses packets when the test says so.
type flooded struct {
	socket.Core
	refuse   func()
	expected chan string // what Expect is told
}

func (s *flooded) OnRefusal(f func())         { s.refuse = f }
func (s *flooded) Expect(peer ...socket.Addr) { s.expected <- formatAddrs(peer) }

// awaitExpected refuses packets until the socket has been told of a peer.
func (s *flooded) awaitExpected() string {
	for {
		s.refuse()
		select {
		case address := <-s.expected:
			return address
		default:
			runtime.Gosched()
		}
	}
}

// store is the key-value store of a job.
type store struct {
	mu        sync.Mutex
	addresses map[int]string // of the ranks that have published one
	asked     []int
}

func (s *store) lookUp(_ context.Context, peer int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, peer)
	if address := s.addresses[peer]; address != "" {
		return address, nil
	}
	return "", errors.New("no such key")
}

func (s *store) publish(rank int, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addresses[rank] = address
}

func (s *store) questions() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// inFlood is the victim, in a job of some size, with a flooded socket.
func inFlood(t *testing.T, size int, lookup func(context.Context, int) (string, error)) (*transport, *flooded) {
	f := &flooded{expected: make(chan string)}
	v := newTransport(t, rpi.Config{Rank: 2, Size: size, Token: token, Encrypt: seal.Off, Lookup: lookup}, Options{
		Listen: func(c socket.Config, local []netip.Addr, port uint16) (s socket.Core, err error) {
			f.Core, err = ListenEngine(c, local, port)
			return f, err
		},
	})
	return v, f
}

// In a flood the peers of a large job are looked up, one after the other and each of them once.
func TestPeersAreLookedUpInAFlood(t *testing.T) {
	const size = 1000
	s := &store{addresses: make(map[int]string)}
	var want []int
	for rank := range size {
		s.addresses[rank] = fmt.Sprintf("192.0.2.1:7/%d,192.0.2.2:7/%d,192.0.2.3:7/%d,192.0.2.4:7/%d", 1+rank, 1+rank, 1+rank, 1+rank)
		if rank != 2 {
			want = append(want, rank)
		}
	}
	v, f := inFlood(t, size, s.lookUp)
	require.Empty(t, s.questions(), "there is no flood yet")
	for _, rank := range want {
		require.Equal(t, s.addresses[rank], f.awaitExpected())
	}
	f.refuse()
	assert.Equal(t, want, s.questions())
	assert.True(t, v.lookups.underWay.Load(), "there is nothing to do any more")
}

// A peer that has not published its address yet is looked up again, while packets are refused, and holds up no other.
func TestPeersThatHaveNotPublishedAreLookedUpLater(t *testing.T) {
	s := &store{addresses: map[int]string{1: "192.0.2.5:7/8", 3: "192.0.2.6:7/8"}}
	_, f := inFlood(t, 4, s.lookUp)
	assert.Equal(t, "192.0.2.5:7/8", f.awaitExpected())
	assert.Equal(t, "192.0.2.6:7/8", f.awaitExpected())
	s.publish(0, "192.0.2.4:7/8")
	assert.Equal(t, "192.0.2.4:7/8", f.awaitExpected())
	assert.Equal(t, []int{0, 1, 3, 0}, slices.Compact(s.questions()))
}

// A peer that has an association is not looked up: the socket knows it.
func TestConnectedPeersAreNotLookedUpInAFlood(t *testing.T) {
	s := &store{addresses: map[int]string{0: "192.0.2.4:7/8", 1: "192.0.2.5:7/8", 3: "192.0.2.6:7/8"}}
	v, f := inFlood(t, 4, s.lookUp)
	terms := rank1()
	terms.Size = 4
	handshaketest.Join(t, v.Address(), terms, 2)
	v.waitOpen(1)
	assert.Equal(t, "192.0.2.4:7/8", f.awaitExpected())
	assert.Equal(t, "192.0.2.6:7/8", f.awaitExpected())
	assert.Equal(t, []int{0, 3}, s.questions())
}

// Where datagrams are sealed it is the guard that gets to know the peers.
func TestTheGuardKnowsPeersInAFlood(t *testing.T) {
	var ranks [2]*transport
	s := &store{addresses: make(map[int]string)}
	for rank := range ranks {
		ranks[rank] = newTransport(t, rpi.Config{Rank: rank, Size: 2, Token: token, Encrypt: seal.AlwaysAuth, Lookup: s.lookUp}, Options{})
		s.publish(rank, ranks[rank].Address())
	}
	peer := ranks[1].Socket().LocalAddrs()[0]
	before, _ := ranks[0].sealing.guard.Overhead()
	knows := func() bool {
		_, ok := ranks[0].sealing.guard.Seal(time.Second, make([]byte, before+100, 200), netip.AddrPortFrom(peer.IP, peer.UDP))
		return ok
	}
	require.False(t, knows())
	for !knows() {
		ranks[0].refusing()
		runtime.Gosched()
	}
	assert.Equal(t, []int{1}, s.questions())
}

// A process that ends waits neither for answers of the launcher nor for peers. No lock is held meanwhile.
func TestLookupsInAFloodEndWithTheProcess(t *testing.T) {
	asked := make(chan int)
	v, f := inFlood(t, 4, func(ctx context.Context, peer int) (string, error) {
		asked <- peer
		<-ctx.Done()
		return "", ctx.Err()
	})
	f.refuse()
	require.Equal(t, 0, <-asked)
	v.lock.Lock()
	assert.False(t, v.Peer(0).Gone())
	v.lock.Unlock()
	v.Kill()
}
