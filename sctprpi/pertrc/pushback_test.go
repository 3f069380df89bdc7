package pertrc

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// held is how many bytes of rank 0's messages the socket of a rank holds.
func held(t *testing.T, tr *Transport) int {
	t.Helper()
	tr.lock.Lock()
	id := tr.peers[0].Assoc()
	tr.lock.Unlock()
	s, err := tr.Socket().(socket.Endpoint).Status(id)
	require.NoError(t, err)
	return s.Held
}

// heap is how many bytes the process has allocated and not released.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestPushBack: a TRC that nobody reads waits, with a quarter of the limit at most in its receiver, and another goes on.
func TestPushBack(t *testing.T) {
	const limit = 32 << 20
	ranks := openJob(t, 2, associations.Options{}, func(cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
	body := bytes.Repeat([]byte("push back"), count(64<<20, 1<<30)/9)
	in := make([]byte, len(body))
	do(t, ranks[0], request(rpi.OpSend, 1, 1, nil))
	do(t, ranks[1], request(rpi.OpRecv, 0, 1, nil))
	before := heap()

	unread := start(ranks[0], request(rpi.OpSend, 1, 5, body))
	do(t, ranks[1], request(rpi.OpProbe, 0, 5, nil))
	out, other := make([]byte, 64<<10), make([]byte, 64<<10)
	const messages = 2000
	most := 0
	for i := range messages {
		r := start(ranks[1], request(rpi.OpRecv, 0, 6, other))
		do(t, ranks[0], request(rpi.OpSend, 1, 6, out))
		finish(t, r)
		if i%100 == 0 {
			most = max(most, held(t, ranks[1]))
		}
	}
	require.False(t, unread.Completed())
	now := held(t, ranks[1])
	t.Logf("%d bytes of %d are held after %d messages, at most %d, and %d more of the heap are used",
		now, len(body), messages, most, heap()-before)
	require.LessOrEqual(t, max(now, most), limit/4+len(out)+1<<16)
	require.Greater(t, now, limit/16, "it is buffered as much as there is room")
	require.Less(t, heap()-before, limit, "of both ranks, which share the process")

	r := do(t, ranks[1], request(rpi.OpRecv, 0, 5, in))
	require.EqualValues(t, len(body), r.Status.Length)
	require.True(t, bytes.Equal(body, in), "the message is whole")
	finish(t, unread)
}

// TestManyUnreadBesideOne: TRCs that nobody reads do not hold up one that is read, and are received afterwards.
func TestManyUnreadBesideOne(t *testing.T) {
	ranks := openJob(t, 2, associations.Options{}, nil)
	unread := count(2000, 10_000)
	short, long := make([]byte, 1<<10), make([]byte, 1<<20)
	for i := range unread {
		do(t, ranks[0], request(rpi.OpSend, 1, 10+i, short))
	}
	for range 100 {
		r := start(ranks[1], request(rpi.OpRecv, 0, 5, make([]byte, len(long))))
		do(t, ranks[0], request(rpi.OpSend, 1, 5, long))
		finish(t, r)
	}
	t.Logf("%d TRCs: %d bytes are held", unread, held(t, ranks[1]))
	require.LessOrEqual(t, held(t, ranks[1]), rpi.DefaultUnexpectedLimit)
	for i := range unread {
		require.EqualValues(t, len(short), do(t, ranks[1], request(rpi.OpRecv, 0, 10+i, make([]byte, len(short)))).Status.Length)
	}
	require.Less(t, held(t, ranks[1]), unread, "all has been received")
}
