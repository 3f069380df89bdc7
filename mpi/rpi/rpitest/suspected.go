package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// testSuspected checks rpi.Watchful, of transports that are it, as far as it needs no time: which peers are not suspected.
func testSuspected(t *testing.T, open rpi.Open) {
	j := start(t, open, 3, nil)
	watchful, ok := unpolled(j.ranks[0]).(rpi.Watchful)
	if !ok {
		return
	}
	none := func(why string) { require.Empty(t, watchful.Suspected(), why) }
	none("there is no connection yet")
	for peer := 1; peer < 3; peer++ {
		j.start(peer, send(0, 1, message(1, 100)))
		j.do(0, recv(peer, 1, make([]byte, 100)))
	}
	none("they live")
	needs := recv(1, 1, nil)
	j.start(0, needs)
	j.ranks[1].Kill()
	j.wait(0, needs)
	require.ErrorIs(t, needs.Err, rpi.ErrProcFailed)
	none("one is dead, the other lives")
}
