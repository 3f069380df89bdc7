package sctprpi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
)

// Messages of one TRC do not pile up behind those of another that are long, but not so long
// that they are sent in fragments: TRCs share by bytes, not by messages.
func TestSmallMessagesDoNotPileUpBehindEagerBulk(t *testing.T) {
	const bulkSize, small = 30 << 10, 100
	s := simulate(t, Options{}, enginetest.Conditions{Delay: time.Millisecond, Rate: 20e6})
	one, other := s.apart()
	var bulk, smalls []*rpi.Request
	for range 200 {
		bulk = append(bulk, s.Post(rpi.OpRecv, one, make([]byte, bulkSize)))
		s.Send(one, make([]byte, bulkSize))
	}
	for range small {
		smalls = append(smalls, s.Post(rpi.OpRecv, other, make([]byte, 8)))
		s.Send(other, make([]byte, 8))
	}
	s.Run(smalls...)
	before := 0
	for _, r := range bulk {
		if r.Completed() {
			before++
		}
	}
	assert.LessOrEqual(t, before, 1, "of %d bulk messages queued before", len(bulk))
}
