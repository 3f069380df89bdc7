//go:build !race

package pertrc

import (
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// The contract holds with few streams too. Sends of more TRCs than those have wait for receives. What is done then is done under the
// transport's lock, and the race detector sees that in TestTransport.
func TestTransportWithFewStreams(t *testing.T) {
	for _, streams := range []int{16, 1024} {
		t.Run(fmt.Sprintf("%d streams", streams), func(t *testing.T) {
			if streams > 16 && !rpitest.Long() {
				t.Skip("this runs with SCTPMPI_TEST_LONG=1 only")
			}
			rpitest.RunVariantUnread(t, opener(associations.Options{Streams: streams}), min(streams-1, 200))
		})
	}
}
