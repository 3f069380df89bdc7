package pertrc

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
)

// Every rank sends every other messages of many tags, and receives none before
// all are sent. They wait in the kernel, or at their senders: the processes
// hold an envelope for each TRC and no more, and if bytes are sealed the record that it is in at each end. Then all arrives.
func TestFloodWaitsInTheKernel(t *testing.T) {
	t.Run("sealed", func(t *testing.T) { testFlood(t, seal.Auto, record.MaxPayload+1<<10) })
	t.Run("off", func(t *testing.T) { testFlood(t, seal.Off, 0) })
}

func testFlood(t *testing.T, policy seal.Policy, perRecord int) {
	const n, tags, perTag, size = 3, 100, 4, 200 << 10 // 468 MiB in all
	ranks := openJob(t, n, func(cfg *rpi.Config) { cfg.Encrypt = policy })
	body := make([]byte, size) // which all messages share, so that what the heap gains is what receivers keep
	body[0], body[size-1] = 1, 2
	before := heap()
	var sends []*rpi.Request
	for range perTag {
		for tag := range tags {
			for from := range n {
				for to := range n {
					if to != from {
						sends = append(sends, start(ranks[from], request(rpi.OpSend, to, tag, body)))
					}
				}
			}
		}
	}
	var all sync.WaitGroup
	for rank, tr := range ranks { // all have heard of all TRCs
		all.Go(func() {
			for tag := range tags {
				for peer := range n {
					if peer != rank {
						do(t, tr, request(rpi.OpProbe, peer, tag, nil))
					}
				}
			}
		})
	}
	all.Wait()
	const perTRC, perMessage = 4 << 10, 2 << 10
	require.Less(t, heap()-before, n*(n-1)*tags*(2*perTRC+perTag*perMessage+perRecord)+4<<20)
	for rank, tr := range ranks {
		all.Go(func() {
			buf := make([]byte, size)
			for tag := tags - 1; tag >= 0; tag-- { // the last tags first
				for peer := range n {
					for range perTag {
						if peer != rank {
							do(t, tr, request(rpi.OpRecv, peer, tag, buf))
							assert.EqualValues(t, []byte{1, 2}, []byte{buf[0], buf[size-1]})
						}
					}
				}
			}
		})
	}
	all.Wait()
	for _, s := range sends {
		<-s.Done()
		require.NoError(t, s.Err)
	}
}

// heap is the memory in use, in bytes.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
