//go:build !race

package pertrc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

// In the long run a message allocates nothing, at either end, whatever its
// length and mode, and over however many TRCs.
func TestMessagesDoNotAllocate(t *testing.T) {
	for name, c := range map[string]struct {
		mode rpi.Mode
		n    int
	}{
		"short":       {rpi.Standard, 8},
		"long":        {rpi.Standard, 1 << 20},
		"synchronous": {rpi.Synchronous, 100},
		"buffered":    {rpi.Buffered, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			ranks := openJob(t, 2, nil)
			w := rpi.NewWaiter()
			s, r := new(rpi.Request), new(rpi.Request)
			buf, body := make([]byte, c.n), make([]byte, c.n)
			tag := matching.Tag(0)
			once := func() {
				tag = (tag + 1) % 5
				r.Reset()
				r.Op, r.Peer, r.Tag, r.Type, r.Elem, r.Buf = rpi.OpRecv, 0, tag, 1, 1, buf
				s.Reset()
				s.Op, s.Mode, s.Peer, s.Tag, s.Type, s.Elem, s.Buf = rpi.OpSend, c.mode, 1, tag, 1, 1, body
				ranks[1].Start(r)
				ranks[0].Start(s)
				for _, q := range [...]*rpi.Request{s, r} {
					if q.Subscribe(w) {
						for !q.Completed() {
							<-w.C
						}
					}
				}
			}
			for range 200 {
				once()
			}
			require.Zero(t, rpitest.WholeAllocations(300, once))
		})
	}
}
