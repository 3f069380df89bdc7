package sctprpi

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
)

const delay = 10 * time.Millisecond

// What the project is named for: a packet that is lost on one message stream holds up no
// other. With one stream, which is how TCP would carry them, it does.
func TestHeadOfLine(t *testing.T) {
	for _, streams := range []int{1, 16, 1024} {
		for _, size := range []int{8, 300 << 10} {
			t.Run(fmt.Sprintf("%d streams, %d bytes", streams, size), func(t *testing.T) {
				s := simulate(t, Options{Streams: streams}, enginetest.Conditions{Delay: delay})
				lost, others := s.apart()
				behind := s.Post(rpi.OpRecv, lost, make([]byte, size))
				var free []*rpi.Request
				for range 10 {
					free = append(free, s.Post(rpi.OpRecv, others, make([]byte, 8)))
				}
				begun := s.World.Now()
				s.LoseNext()
				s.Send(lost, make([]byte, size))
				for range 10 {
					s.Send(others, make([]byte, 8))
				}
				s.Run(free...)
				passed, overtook := s.World.Now()-begun, !behind.Completed()
				s.Run(behind)
				t.Logf("the others took %v, the one that lost a packet %v", passed, s.World.Now()-begun)
				if streams == 1 {
					assert.GreaterOrEqual(t, passed, 3*delay, "a round trip until the loss is known, and one way")
				} else {
					assert.Equal(t, delay, passed, "one way")
					assert.True(t, overtook)
				}
			})
		}
	}
}

// A receive of any tag waits for a lost message that was sent before others. Where messages may overtake it takes what is
// there.
func TestAReceiveOfAnyTagWaitsForNoLostMessageIfItNeedNot(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		t.Run(fmt.Sprintf("overtaking allowed: %t", allowed), func(t *testing.T) {
			s := simulate(t, Options{}, enginetest.Conditions{Delay: delay})
			lost, others := s.apart()
			s.Ranks[1].AllowOvertaking(0, allowed)
			var rs []*rpi.Request
			for range 11 {
				rs = append(rs, s.Post(rpi.OpRecv, matching.AnyTag, make([]byte, 8)))
			}
			begun := s.World.Now()
			s.LoseNext()
			s.Send(lost, make([]byte, 8))
			for range 10 {
				s.Send(others, make([]byte, 8))
			}
			s.Run(rs[:10]...)
			passed := s.World.Now() - begun
			s.Run(rs[10])
			t.Logf("ten of eleven messages took %v, all %v", passed, s.World.Now()-begun)
			if allowed {
				assert.Equal(t, delay, passed, "one way")
				assert.Equal(t, lost, rs[10].Status.Tag)
			} else {
				assert.GreaterOrEqual(t, passed, 3*delay, "a round trip until the loss is known, and one way")
				assert.Equal(t, lost, rs[0].Status.Tag)
			}
		})
	}
}
