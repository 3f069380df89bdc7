package sctprpi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/simulation"
)

// Messages whose bodies go in fragments, and those that SCTP mixes, take half the time over two networks that are used at once.
func TestLongMessagesUseTwoNetworksAtOnce(t *testing.T) {
	for _, interleave := range []bool{false, true} {
		one, two := bulkOverTwoNetworks(t, Options{Interleave: interleave}), bulkOverTwoNetworks(t, Options{Interleave: interleave, Multipath: true})
		t.Logf("interleaving %v: %v, with both networks %v", interleave, one, two)
		assert.Less(t, two.Seconds(), one.Seconds()/1.8)
	}
}

// bulkOverTwoNetworks returns how long 40 messages of 300 KB take between two ranks that two networks of 20 Mbit/s join.
func bulkOverTwoNetworks(t *testing.T, o Options) time.Duration {
	design := simulation.Design[*Transport]{New: New, Release: func(tr *Transport) { user{tr}.Release() }, Paths: 2}
	link := enginetest.Conditions{Delay: 10 * time.Millisecond, Rate: 20_000_000, Queue: 100_000, Overhead: 28}
	s := simulation.Start(t, design, o, link)
	s.Pass(time.Second) // the addresses have been confirmed
	begun := s.World.Now()
	var all []*rpi.Request
	for i := range 40 {
		body := make([]byte, 300_000)
		body[0] = byte(i)
		all = append(all, s.Post(rpi.OpRecv, matching.Tag(i%4), make([]byte, len(body))), s.Send(matching.Tag(i%4), body))
	}
	s.Run(all...)
	for i := range 40 {
		assert.EqualValues(t, i, all[2*i].Buf[0])
	}
	return s.World.Now() - begun
}
