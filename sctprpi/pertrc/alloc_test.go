//go:build !race

package pertrc

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// TestMessagesAllocateNothing: neither the sender nor the receiver of a message, copied or zero-copy, expected or not, in
// steady state.
func TestMessagesAllocateNothing(t *testing.T) {
	for _, n := range []int{8, copyLimit - header.Size, 60 << 10} {
		for _, expected := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d bytes, expected %v", n, expected), func(t *testing.T) {
				ranks := openJob(t, 2, associations.Options{}, nil)
				s, r, w := new(rpi.Request), new(rpi.Request), rpi.NewWaiter()
				out, in := make([]byte, n), make([]byte, n)
				tag := 0
				begin := func(rank int, q *rpi.Request, op rpi.Op, buf []byte) {
					q.Reset()
					q.Op, q.Peer, q.Tag, q.Type, q.Elem, q.Buf = op, matching.Rank(1-rank), matching.Tag(tag), 1, 1, buf
					ranks[rank].Start(q)
				}
				complete := func(rank int, q *rpi.Request) {
					for !q.Completed() {
						if q.Subscribe(w) {
							_ = ranks[rank].Await(context.Background(), w)
							q.Unsubscribe(w)
						}
					}
					if q.Err != nil {
						t.Fatal(q.Err)
					}
				}
				exchange := func() {
					tag = (tag + 1) % 200
					if expected {
						begin(1, r, rpi.OpRecv, in)
					}
					begin(0, s, rpi.OpSend, out)
					if !expected { // it has come before a receive is posted
						begin(1, r, rpi.OpProbe, nil)
						complete(1, r)
						begin(1, r, rpi.OpRecv, in)
					}
					complete(1, r)
					complete(0, s)
				}
				for range 2000 { // all streams and pools
					exchange()
				}
				assert.Less(t, rpitest.Allocations(20_000, exchange), 0.1, "for each message")
			})
		}
	}
}
