package pertrc

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// TestCreditIsGrantedWhileSomethingElseIsWaitedFor: what a receive has taken counts as read when the transport comes for
// more. It does so before it rests, in a process too whose calls alone move messages: so a peer that waits for the credit
// does not wait for the program's next receive from it.
func TestCreditIsGrantedWhileSomethingElseIsWaitedFor(t *testing.T) {
	ranks := openJob(t, 2, associations.Options{}, func(cfg *rpi.Config) {
		if cfg.Rank == 1 {
			cfg.Progress = rpi.Inline
		}
	})
	await := func(r *rpi.Request) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		w := rpi.NewWaiter()
		defer w.Release()
		if r.Subscribe(w) {
			for !r.Completed() {
				require.NoError(t, ranks[1].Await(ctx, w))
			}
		}
		require.NoError(t, r.Err)
	}
	const fits = 9 << 20 // of a TRC of which something has been read
	first, second := make([]byte, 3*fits), make([]byte, fits)
	for range 5 {
		start(ranks[0], request(rpi.OpSend, 1, 5, first))
		unread := start(ranks[0], request(rpi.OpSend, 1, 5, second))
		await(start(ranks[1], request(rpi.OpRecv, 0, 5, make([]byte, len(first)))))
		go func() {
			<-unread.Done()
			ranks[0].Start(request(rpi.OpSend, 1, 7, nil))
		}()
		await(start(ranks[1], request(rpi.OpRecv, 0, 7, nil)))
		await(start(ranks[1], request(rpi.OpRecv, 0, 5, make([]byte, len(second)))))
	}
}
