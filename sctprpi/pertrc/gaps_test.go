package pertrc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// TestManyReceivedBeforeOneThatIsLeft: every second message is left unread while the others are received. When there are
// as many gaps as the layer bears a receive waits until some are closed, and none fails.
func TestManyReceivedBeforeOneThatIsLeft(t *testing.T) {
	const bound, pairs = 100, 2000
	ranks := openJob(t, 2, associations.Options{}, nil)
	ranks[1].layer.Match.Gaps = bound
	var in, out []*rpi.Request
	for i := range pairs {
		out = append(out, start(ranks[0], request(rpi.OpSend, 1, 5, text(2*i))), start(ranks[0], request(rpi.OpSend, 1, 6, text(2*i+1))))
		in = append(in, start(ranks[1], request(rpi.OpRecv, 0, 6, make([]byte, 4))))
	}
	finish(t, in[bound-1])
	require.False(t, in[pairs-1].Completed())
	for i := range pairs {
		require.Equal(t, text(2*i), do(t, ranks[1], request(rpi.OpRecv, 0, 5, make([]byte, 4))).Buf)
	}
	for i := range in {
		require.Equal(t, text(2*i+1), finish(t, in[i]).Buf)
	}
	for _, r := range out {
		finish(t, r)
	}
}
