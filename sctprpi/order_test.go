package sctprpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/simulation"
)

// Messages of different tags overtake each other between streams, but no receive or probe
// that could match both may see it (MPI 4.1, section 3.5): one of any tag waits for the
// earlier message, one of the later message's own tag does not, unless one of any tag was
// posted before it.
func TestOrderAcrossStreams(t *testing.T) {
	const early, late = 'e', 'l'
	type posted struct {
		op  rpi.Op
		any bool // of any tag, else of the late message's
		// atOnce: completes while the early message is missing. takes is the
		// message that it gets, or sees.
		atOnce bool
		takes  byte
	}
	for name, c := range map[string][]posted{
		"any tag":                            {{rpi.OpRecv, true, false, early}, {rpi.OpRecv, true, false, late}},
		"the late one's tag":                 {{rpi.OpRecv, false, true, late}},
		"the late one's tag, then any":       {{rpi.OpRecv, false, true, late}, {rpi.OpRecv, true, false, early}},
		"any tag, then the late one's":       {{rpi.OpRecv, true, false, early}, {rpi.OpRecv, false, false, late}},
		"probe of any tag":                   {{rpi.OpProbe, true, false, early}},
		"probe of the late one's tag":        {{rpi.OpProbe, false, true, late}},
		"matched probe of any tag":           {{rpi.OpMprobe, true, false, early}},
		"matched probe of the late one's":    {{rpi.OpMprobe, false, true, late}},
		"a receive of any tag, then a probe": {{rpi.OpRecv, true, false, early}, {rpi.OpProbe, true, false, late}},
	} {
		for _, size := range []int{8, 200 << 10} {
			t.Run(fmt.Sprintf("%s, %d bytes", name, size), func(t *testing.T) {
				s := simulate(t, Options{}, enginetest.Conditions{Delay: delay})
				earlyTag, lateTag := s.apart()
				tags := map[byte]matching.Tag{early: earlyTag, late: lateTag}
				var requests []*rpi.Request
				for _, p := range c {
					tag := lateTag
					if p.any {
						tag = matching.AnyTag
					}
					requests = append(requests, s.Post(p.op, tag, make([]byte, size)))
				}
				s.LoseNext()
				for _, m := range []byte{early, late} {
					body := make([]byte, size)
					body[0], body[size-1] = m, m
					s.Send(tags[m], body)
				}
				// The late message, or its announcement, has arrived, and the
				// early one cannot have.
				s.Pass(delay + delay/2)
				_, seen, err := s.Ranks[1].Iprobe(0, 0, matching.AnyTag)
				require.NoError(t, err)
				assert.False(t, seen, "a probe of any tag sees the late message")
				for i, p := range c {
					if size == 8 || p.op != rpi.OpRecv { // a long one is still under way
						assert.Equal(t, p.atOnce, requests[i].Completed(), "request %d", i)
					}
				}
				s.Run(requests...)
				for i, p := range c {
					r := requests[i]
					assert.Equal(t, tags[p.takes], r.Status.Tag, "request %d", i)
					if p.op == rpi.OpRecv {
						assert.Equal(t, []byte{p.takes, p.takes}, []byte{r.Buf[0], r.Buf[size-1]}, "request %d", i)
					}
					if p.op == rpi.OpMprobe {
						take := simulation.Message(rpi.OpRecv, 0, make([]byte, size))
						take.Message = r.Message
						s.Begin(1, take)
						s.Run(take)
						assert.Equal(t, p.takes, take.Buf[0])
					}
				}
				for _, m := range []byte{early, late} {
					// Messages that no receive took are received, so that all is quiet in the end.
					if taken := func() bool {
						for _, p := range c {
							if p.takes == m && p.op != rpi.OpProbe {
								return true
							}
						}
						return false
					}(); !taken {
						s.Run(s.Post(rpi.OpRecv, tags[m], make([]byte, size)))
					}
				}
			})
		}
	}
}
