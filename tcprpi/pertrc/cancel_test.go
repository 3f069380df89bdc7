package pertrc

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A send that is cancelled while its message is leaving, and perhaps being
// received, is cancelled or delivered, and never both or neither; those behind
// it are not harmed.
func TestCancellingWhatIsLeaving(t *testing.T) {
	ranks := openJob(t, 2, nil)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	count := [2]int{}
	for round := range 150 {
		n := 1 << (4 + rng.IntN(19)) // to 4 MiB: as much as the sockets take, more or less
		body := make([]byte, n)
		body[0], body[n-1] = byte(round), byte(round)
		s := request(rpi.OpSend, 1, 0, body)
		if rng.IntN(3) == 0 {
			s.Mode = rpi.Synchronous
		}
		r := request(rpi.OpRecv, 0, 0, make([]byte, 4<<20))
		next := request(rpi.OpSend, 1, 0, text(round))
		early := rng.IntN(2) == 0
		var sides sync.WaitGroup
		sides.Go(func() {
			start(ranks[0], s)
			ranks[0].Cancel(s)
			<-s.Done()
			clear(body) // the transport does not use it any more
			start(ranks[0], next)
		})
		if early {
			sides.Go(func() { start(ranks[1], r) })
		}
		sides.Wait()
		if !early {
			start(ranks[1], r)
		}
		<-r.Done()
		require.NoError(t, r.Err)
		require.NoError(t, s.Err)
		if s.Status.Cancelled {
			count[0]++
		} else {
			count[1]++
			require.EqualValues(t, n, r.Status.Length)
			require.Equal(t, []byte{byte(round), byte(round)}, []byte{r.Buf[0], r.Buf[n-1]})
			r = do(t, ranks[1], request(rpi.OpRecv, 0, 0, make([]byte, 3)))
		}
		require.EqualValues(t, 3, r.Status.Length)
		require.Equal(t, text(round), r.Buf[:3])
	}
	t.Logf("%d cancelled, %d delivered", count[0], count[1])
}
