package pertrc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
)

// long is the length of messages that the kernel does not take whole before they are received, in bytes.
const long = 16 << 20

// locked calls f with a transport's lock.
func locked(t *Transport, f func(d *descriptors)) {
	t.lock.Lock()
	f(&t.allotted)
	t.lock.Unlock()
}

// receives takes a message of n bytes with a tag.
func receives(t *testing.T, tr *Transport, from, tag, n int) {
	require.EqualValues(t, n, do(t, tr, request(rpi.OpRecv, from, tag, make([]byte, n))).Status.Length)
}

// Each socket that the kernel gives beyond those that it had refused lets another TRC go on, though none closes.
func TestEachSocketThatIsGivenMakesRoom(t *testing.T) {
	ranks := pairUp(t)
	v := ranks[0]
	dialers := 0
	locked(v, func(d *descriptors) {
		d.ceiling = fewest
		dialers, v.dialers = v.dialers, d.slots(maxDialers) // all are busy
	})
	for tag := range 4 * fewest {
		start(v, request(rpi.OpSend, 1, tag, make([]byte, long))) // none is received
	}
	locked(v, func(d *descriptors) {
		require.Len(t, d.waiting, 3*fewest)
		v.dialers = dialers
		v.startDialer()
	})
	eventually(t, "TRCs wait though there is room", func() bool { return v.Counters().Opened == 1+4*fewest })
}

// A kernel that has refused a socket may give one later, whatever the reason was: others have closed theirs.
func TestTheKernelIsAskedAgain(t *testing.T) {
	ranks := pairUp(t)
	v := ranks[0]
	crowd(t, ranks[1], v)
	s := start(v, request(rpi.OpSend, 1, 9, text(9)))
	locked(v, func(d *descriptors) {
		require.Len(t, d.waiting, 1)
		v.refused()
	})
	receives(t, ranks[1], 0, 9, 3)
	<-s.Done()
	require.NoError(t, s.Err)
}

// crowd has a rank have as many incoming connections as it may have sockets, on each a message that no receive takes.
func crowd(t *testing.T, from, v *Transport) {
	for tag := range fewest {
		do(t, from, request(rpi.OpSend, v.cfg.Rank, tag, text(tag)))
	}
	eventually(t, "messages do not come", func() bool { return v.Counters().Received == fewest })
	locked(v, func(d *descriptors) { d.ceiling = fewest })
}

// A connection from a peer that becomes idle after a TRC has begun to wait is asked for then.
func TestIncomingConnectionThatBecomesIdleMakesRoom(t *testing.T) {
	ranks := pairUp(t)
	v := ranks[0]
	crowd(t, ranks[1], v)
	s := start(v, request(rpi.OpSend, 1, 9, text(9)))
	locked(v, func(d *descriptors) { require.Len(t, d.waiting, 1) })
	receives(t, v, 1, 2, 3)
	receives(t, ranks[1], 0, 9, 3)
	<-s.Done()
	require.NoError(t, s.Err)
}

// The same for a connection of a peer that waits.
func TestIdleConnectionsMakeRoomForAPeersThatWaits(t *testing.T) {
	for what, c := range map[string]struct {
		occupy, leave func(t *testing.T, v, peer *Transport)
	}{
		"incoming": {
			func(t *testing.T, v, peer *Transport) { crowd(t, peer, v) },
			func(t *testing.T, v, _ *Transport) { receives(t, v, 1, 2, 3) },
		},
		"outgoing": {
			func(t *testing.T, v, _ *Transport) {
				for tag := range fewest {
					start(v, request(rpi.OpSend, 1, tag, make([]byte, long)))
				}
				eventually(t, "no connections", func() (all bool) {
					locked(v, func(d *descriptors) { all = v.Counters().Opened == 1+fewest && d.idleOut.First() == nil })
					return all
				})
				locked(v, func(d *descriptors) { d.ceiling = fewest })
			},
			func(t *testing.T, _, peer *Transport) { receives(t, peer, 0, 2, long) },
		},
	} {
		t.Run(what, func(t *testing.T) {
			ranks := pairUp(t)
			v := ranks[0]
			c.occupy(t, v, ranks[1])
			decided := make(chan handshake.Result)
			go func() {
				c, result := v.decide(t.Context(), handshake.Hello{Purpose: forMessages, From: 1, To: 0, Tag: matching.Tag(9)})
				locked(v, func(d *descriptors) { // there is no such connection
					d.in--
					v.unlink(c)
				})
				decided <- result
			}()
			eventually(t, "nothing waits", func() (waits bool) {
				locked(v, func(d *descriptors) { waits = d.visitors == 1 })
				return waits
			})
			c.leave(t, v, ranks[1])
			require.Equal(t, handshake.Accepted, <-decided)
		})
	}
}
