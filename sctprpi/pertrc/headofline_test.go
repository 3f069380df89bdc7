package pertrc

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/simulation"
)

// simulate starts a job of two processes on a simulated network.
func simulate(t *testing.T, c enginetest.Conditions) *simulation.Job[*Transport] {
	design := simulation.Design[*Transport]{New: New, Release: func(tr *Transport) { user{tr}.Release() }}
	return simulation.Start(t, design, associations.Options{}, c)
}

// A packet that is lost on one TRC holds up no other.
func TestALostPacketHoldsUpOneTRC(t *testing.T) {
	const delay = 10 * time.Millisecond
	for size, passed := range map[int]time.Duration{
		8:         delay,     // one way
		300 << 10: 3 * delay, // the first packets fill the congestion window, which opens after a round trip
	} {
		t.Run(fmt.Sprintf("%d bytes", size), func(t *testing.T) {
			s := simulate(t, enginetest.Conditions{Delay: delay})
			behind := s.Post(rpi.OpRecv, 1, make([]byte, size))
			var others []*rpi.Request
			for range 10 {
				others = append(others, s.Post(rpi.OpRecv, 2, make([]byte, 8)))
			}
			begun := s.World.Now()
			s.LoseNext()
			s.Send(1, make([]byte, size))
			for range 10 {
				s.Send(2, make([]byte, 8))
			}
			s.Run(others...)
			assert.Equal(t, passed, s.World.Now()-begun)
			assert.False(t, behind.Completed())
			s.Run(behind)
		})
	}
}

// TRCs share the way by bytes: small messages do not wait for what is queued of another TRC, however long its messages are.
func TestSmallMessagesDoNotWaitForBulk(t *testing.T) {
	for _, size := range []int{4 << 10, 30 << 10, 300 << 10} {
		t.Run(fmt.Sprintf("%d bytes", size), func(t *testing.T) {
			const total, smalls = 6 << 20, 100
			s := simulate(t, enginetest.Conditions{Delay: time.Millisecond, Rate: 20e6})
			var bulk, small []*rpi.Request
			for range total / size {
				bulk = append(bulk, s.Post(rpi.OpRecv, 1, make([]byte, size)))
				s.Send(1, make([]byte, size))
			}
			for range smalls {
				small = append(small, s.Post(rpi.OpRecv, 2, make([]byte, 8)))
				s.Send(2, make([]byte, 8))
			}
			s.Run(small...)
			before := 0
			for _, r := range bulk {
				if r.Completed() {
					before += size
				}
			}
			assert.LessOrEqual(t, before, 64<<10, "bytes of %d that were queued before", total)
			s.Run(bulk...)
		})
	}
}

// A receive of any tag waits for a lost message that was sent before others. Where messages may overtake it takes what is
// there.
func TestAReceiveOfAnyTagWaitsForNoLostMessageIfItNeedNot(t *testing.T) {
	const delay, lost, other = 10 * time.Millisecond, 1, 2
	for allowed, first := range map[bool]matching.Tag{false: lost, true: other} {
		t.Run(fmt.Sprintf("overtaking allowed: %t", allowed), func(t *testing.T) {
			s := simulate(t, enginetest.Conditions{Delay: delay})
			s.Ranks[1].AllowOvertaking(0, allowed)
			a := s.Post(rpi.OpRecv, matching.AnyTag, make([]byte, 8))
			b := s.Post(rpi.OpRecv, matching.AnyTag, make([]byte, 8))
			begun := s.World.Now()
			s.LoseNext()
			s.Send(lost, make([]byte, 8))
			s.Send(other, make([]byte, 8))
			s.Run(a)
			assert.Equal(t, first, a.Status.Tag)
			assert.Equal(t, allowed, s.World.Now()-begun == delay, "it took %v", s.World.Now()-begun)
			s.Run(b)
		})
	}
}
