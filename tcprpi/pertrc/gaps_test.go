package pertrc

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

func TestManyReceivedBeforeOneThatIsLeft(t *testing.T) {
	const bound = 100
	ranks := openJob(t, 2, nil)
	ranks[1].layer.Match.Gaps = bound
	rpitest.RunGaps(t, ranks, bound)
}
