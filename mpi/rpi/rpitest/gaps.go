package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// RunGaps checks a job of two processes of which rank 1 bears only so many gaps in the sequence numbers of rank 0's messages.
// Every second message is left unread while the others are received. When there are as many gaps a receive waits until
// some are closed, and none fails.
func RunGaps[T rpi.Transport](t *testing.T, ranks []T, bound int) {
	const pairs, size = 2000, 8
	var in, out []*rpi.Request
	for i := range pairs {
		out = append(out, Start(ranks[0], send(1, 5, message(2*i, size))), Start(ranks[0], send(1, 6, message(2*i+1, size))))
		in = append(in, Start(ranks[1], recv(0, 6, make([]byte, size))))
	}
	Finish(t, in[bound-1])
	require.False(t, in[pairs-1].Completed())
	for i := range pairs {
		requireMessage(t, Do(t, ranks[1], recv(0, 5, make([]byte, size))), 2*i, size)
	}
	for i := range in {
		requireMessage(t, Finish(t, in[i]), 2*i+1, size)
	}
	for _, r := range out {
		Finish(t, r)
	}
}
