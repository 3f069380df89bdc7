package pertrc

import (
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// The whole contract holds on a network that loses, reorders and doubles packets, with as many streams as there can be
// and with few. A peer leaves at most 200 TRCs unread: beyond that each receive of a flood waits for round trips.
func TestImpairedNetwork(t *testing.T) {
	if !rpitest.Long() {
		t.Skip("this takes minutes, with SCTPMPI_TEST_LONG=1 only")
	}
	listen := enginetest.ListenImpaired()
	for _, streams := range []int{16, 1024, mostStreams} {
		t.Run(fmt.Sprintf("%d streams", streams), func(t *testing.T) {
			rpitest.RunUnread(t, opener(associations.Options{Listen: listen, Streams: streams}), min(streams-1, 200))
		})
	}
}
