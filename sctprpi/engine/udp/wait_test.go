package udp

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
)

// waits are the two ways to wait.
var waits = map[string]func(c *Conn, deadline time.Time) error{"Wait": (*Conn).Wait, "Block": (*Conn).Block}

func TestWakeBeforeWaitIsNotLost(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		for _, wait := range waits {
			for range 3 {
				a.Wake()
				a.Wake() // however often, it is heeded once
				require.NoError(t, wait(a, time.Time{}))
			}
		}
	})
}

func TestBlockEndsAsWaitDoes(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a, b := v.listen(t, loopback4), v.listen(t, loopback4)
		for deadline := time.Now().Add(5 * time.Millisecond); time.Now().Before(deadline); {
			require.NoError(t, b.Block(deadline)) // signals end it early
		}
		about, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			var in [1]packet.Datagram
			for range 300 {
				about <- struct{}{}
				for n := 0; n == 0; {
					assert.NoError(t, b.Block(time.Time{}))
					var err error
					n, err = b.Receive(in[:])
					assert.NoError(t, err)
				}
				in[0].Buffer.Release()
			}
			about <- struct{}{}
			var err error
			for err == nil {
				err = b.Block(time.Time{})
			}
			assert.ErrorIs(t, err, net.ErrClosed)
		}()
		var batch packet.Batch
		add(&batch, packet.Packet{To: at(b)}, payload(0, 20))
		for range 300 {
			<-about
			b.Wake()
			assert.NoError(t, a.Send(&batch))
		}
		<-about
		assert.NoError(t, b.Close())
		<-done
	})
}

// Wherever in Wait a Wake finds it, it makes it return.
func TestWakeEndsWait(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		about, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for range 500 {
				about <- struct{}{}
				assert.NoError(t, a.Wait(time.Time{}))
			}
		}()
		for range 500 {
			<-about
			a.Wake()
		}
		<-done
	})
}

// Wherever in Wait a datagram finds it, it makes it return, after a Wake as before.
func TestArrivalEndsWait(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		about, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for i := range 300 {
				about <- struct{}{}
				if i%3 == 0 {
					b.Wake()
					assert.NoError(t, b.Wait(time.Time{}))
				}
				collect(t, b, 1, 4)
			}
		}()
		var batch packet.Batch
		add(&batch, packet.Packet{To: at(b)}, payload(0, 20))
		for range 300 {
			<-about
			assert.NoError(t, a.Send(&batch))
		}
		<-done
	})
}

func TestWaitEndsAtDeadline(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		require.NoError(t, a.Wait(time.Now().Add(-time.Second)))
		deadline := time.Now().Add(5 * time.Millisecond)
		require.NoError(t, a.Wait(deadline))
		assert.False(t, time.Now().Before(deadline), "returned early")
		// A deadline is one Wait's.
		a.Wake()
		require.NoError(t, a.Wait(time.Time{}))
		deadline = time.Now().Add(5 * time.Millisecond)
		require.NoError(t, a.Wait(deadline))
		assert.False(t, time.Now().Before(deadline), "returned early")
	})
}

// One that is put off may end a Wait, but one only.
func TestDeadlinePutOffEndsOneWaitAtMost(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		a := v.listen(t, loopback4)
		for _, later := range []time.Time{{}, time.Now().Add(time.Hour)} {
			a.Wake()
			require.NoError(t, a.Wait(time.Now().Add(5*time.Millisecond))) // for the Wake
			woken, early := make(chan struct{}), -1
			time.AfterFunc(20*time.Millisecond, func() { close(woken); a.Wake() })
			for over := false; !over; early++ {
				require.NoError(t, a.Wait(later))
				select {
				case <-woken:
					over = true
				default:
				}
			}
			assert.LessOrEqual(t, early, 1)
		}
	})
}

// Wherever in Wait a Close finds it, it makes it fail.
func TestCloseEndsWait(t *testing.T) {
	each(t, func(t *testing.T, v variant) {
		for range 50 {
			a := v.listen(t, loopback4)
			about, done := make(chan struct{}), make(chan error)
			go func() {
				about <- struct{}{}
				done <- a.Wait(time.Time{})
			}()
			<-about
			require.NoError(t, a.Close())
			require.ErrorIs(t, <-done, net.ErrClosed)
			require.ErrorIs(t, a.Wait(time.Time{}), net.ErrClosed)
		}
	})
}
