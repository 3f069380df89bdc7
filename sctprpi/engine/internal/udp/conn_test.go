package udp

import (
	"net"
	"net/netip"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// Packets arrive byte by byte as they were sent, and on a network that does not
// reorder in that order, whatever sizes follow each other: GSO batches, odd last ones,
// more than one message or system call holds.
func TestPacketsArriveWholeAndInOrder(t *testing.T) {
	sizes := map[string]func(i int) int{
		"equal":     func(int) int { return 1400 },
		"tiny":      func(int) int { return 1 },
		"odd last":  func(i int) int { return 1400 - i/99*399 },
		"growing":   func(i int) int { return 100 + i },
		"shrinking": func(i int) int { return 1400 - i },
		"sawtooth":  func(i int) int { return 1000 - i%7*100 },
	}
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		for name, size := range sizes {
			t.Run(name, func(t *testing.T) {
				a, b := v.listen(t, local), v.listen(t, local)
				var batch packet.Batch
				var want [][]byte
				for i := range 100 {
					want = append(want, payload(i, size(i)))
					add(&batch, packet.Packet{To: at(b)}, want[i])
				}
				require.NoError(t, a.Send(&batch))
				got := collect(t, b, len(want), 32)
				requireBytes(t, want, got)
				for _, r := range got {
					require.Equal(t, at(a), r.from)
					require.False(t, r.to.IsValid(), "the only local address needs no telling")
				}
				assert.EqualValues(t, len(want), a.Stats().SentDatagrams)
				assert.EqualValues(t, len(want), b.Stats().ReceivedDatagrams)
				assert.Equal(t, a.Stats().SentBytes, b.Stats().ReceivedBytes)
			})
		}
	})
}

// Packets that take IP's fragments, or a loopback device's MTU, arrive as well.
func TestLargePackets(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		var batch packet.Batch
		var want [][]byte
		for i, size := range []int{9000, 9000, 8999} { // some systems send no more
			want = append(want, payload(i, size))
			add(&batch, packet.Packet{To: at(b)}, want[i])
		}
		require.NoError(t, a.Send(&batch))
		requireBytes(t, want, collect(t, b, len(want), 32))
	})
}

// What the batch has no room for is there at the next call, and Rest says so.
func TestReceiveKeepsWhatBatchHasNoRoomFor(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		for _, room := range []int{1, 3, 41} {
			a, b := v.listen(t, local), v.listen(t, local)
			var batch packet.Batch
			var want [][]byte
			for i := range 100 {
				want = append(want, payload(i, 1000))
				add(&batch, packet.Packet{To: at(b)}, want[i])
			}
			require.NoError(t, a.Send(&batch))
			requireBytes(t, want, collect(t, b, len(want), room))
			requireNone(t, b)
		}
	})
}

// What has been received and kept is known before a wait.
func TestRestKnowsWhatReceiveKeeps(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		var batch packet.Batch
		for i := range 5 {
			add(&batch, packet.Packet{To: at(b)}, payload(i, 100))
		}
		require.NoError(t, a.Send(&batch))
		for range 5 {
			require.True(t, await(b, patience))
			collect(t, b, 1, 1)
		}
		require.False(t, b.Rest())
	})
}

// What was received and not handed out goes back to the pool on Close.
func TestCloseGivesBuffersBack(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		var batch packet.Batch
		for i := range 50 {
			add(&batch, packet.Packet{To: at(b)}, payload(i, 1000))
		}
		require.NoError(t, a.Send(&batch))
		collect(t, b, 1, 1) // the listen helper looks at the pool
	})
}

// A batch may hold packets to several destinations. Each gets its own, in order.
func TestBatchOfSeveralDestinations(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a := v.listen(t, local)
		peers := []*Conn{v.listen(t, local), v.listen(t, local), v.listen(t, local)}
		var batch packet.Batch
		want := make([][][]byte, len(peers))
		for i := range 120 {
			to := i / 5 % 3
			if i > 60 {
				to = i % 3
			}
			p := payload(i, 700)
			want[to] = append(want[to], p)
			add(&batch, packet.Packet{To: at(peers[to])}, p)
		}
		require.NoError(t, a.Send(&batch))
		for i, peer := range peers {
			requireBytes(t, want[i], collect(t, peer, len(want[i]), 16))
		}
	})
}

// Several goroutines may send at the same time. Packets of one stay in order.
func TestConcurrentSends(t *testing.T) {
	const senders, each_, size = 4, 50, 500
	each(t, func(t *testing.T, v variant) {
		a, b := v.listen(t, loopback4), v.listen(t, loopback4)
		var done sync.WaitGroup
		for s := range senders {
			done.Go(func() {
				var batch packet.Batch
				for i := range each_ {
					p := payload(0, size)
					p[0], p[1] = byte(s), byte(i)
					add(&batch, packet.Packet{To: at(b), Fragment: i%10 == 9}, p)
					if i%7 == 6 || i == each_-1 {
						assert.NoError(t, a.Send(&batch))
						batch.Reset()
					}
				}
			})
		}
		var next [senders]byte
		for _, r := range collect(t, b, senders*each_, 16) {
			s := r.bytes[0]
			require.Equal(t, next[s], r.bytes[1], "of sender %d", s)
			next[s]++
		}
		done.Wait()
	})
}

func TestClosedConnFails(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		to := at(a)
		require.NoError(t, a.Close())
		require.NoError(t, a.Close())
		var batch packet.Batch
		add(&batch, packet.Packet{To: to}, payload(0, 10))
		assert.ErrorIs(t, a.Send(&batch), net.ErrClosed)
		_, err := a.Receive(make([]packet.Datagram, 1))
		assert.ErrorIs(t, err, net.ErrClosed)
	})
}

// Close may come at any time.
func TestCloseDuringUse(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		to := at(a)
		var done sync.WaitGroup
		started := make(chan struct{}, 3)
		use := func(f func() error) {
			done.Go(func() {
				for first := true; ; first = false {
					err := f()
					if first {
						started <- struct{}{}
					}
					if err != nil {
						assert.ErrorIs(t, err, net.ErrClosed)
						return
					}
				}
			})
		}
		var batch packet.Batch
		add(&batch, packet.Packet{To: to}, payload(0, 100))
		add(&batch, packet.Packet{To: to}, payload(0, 100))
		use(func() error { return a.Send(&batch) })
		datagrams := make([]packet.Datagram, 4)
		use(func() error {
			n, err := a.Receive(datagrams)
			for _, d := range datagrams[:n] {
				d.Buffer.Release()
			}
			return err
		})
		use(func() error { a.Rest(); a.Stats(); a.Buffers(); return a.Send(new(packet.Batch)) })
		for range cap(started) {
			<-started
		}
		require.NoError(t, a.Close())
		done.Wait()
	})
}
