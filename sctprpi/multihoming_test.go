package sctprpi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/simulation"
)

// Ranks that have an address on each of two networks go on when either of them is lost, in the middle of messages of all
// lengths: each message comes, once, and in order.
func TestALostNetworkLosesNoMessage(t *testing.T) {
	for i := range 4 {
		lost, multipath := i/2, i%2 == 1
		design := simulation.Design[*Transport]{New: New, Release: func(tr *Transport) { user{tr}.Release() }, Paths: 2}
		s := &simulated{simulation.Start(t, design, Options{Multipath: multipath}, enginetest.Conditions{Delay: time.Millisecond})}
		s.Pass(time.Second) // the addresses have been confirmed
		var sends, receives []*rpi.Request
		for i := range 60 {
			body := make([]byte, 1+i%3*100_000)
			body[0] = byte(i)
			sends = append(sends, s.Send(matching.Tag(i%4), body))
			receives = append(receives, s.Post(rpi.OpRecv, matching.Tag(i%4), make([]byte, len(body))))
			if i == 30 {
				s.Run(receives[0])
				s.Cut(lost)
			}
		}
		begun := s.World.Now()
		s.Run(append(sends, receives...)...)
		assert.Less(t, s.World.Now()-begun, time.Second, "network %d is lost, both are used: %v", lost, multipath)
		for i, r := range receives {
			require.EqualValues(t, i, r.Buf[0])
		}
		s.Pass(5 * rpi.DefaultPeerTimeout)
		s.Run(s.Send(0, make([]byte, 1)), s.Post(rpi.OpRecv, 0, make([]byte, 1)))
	}
}
