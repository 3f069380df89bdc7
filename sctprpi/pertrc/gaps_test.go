package pertrc

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

func TestManyReceivedBeforeOneThatIsLeft(t *testing.T) {
	const bound = 100
	ranks := openJob(t, 2, associations.Options{}, nil)
	ranks[1].layer.Match.Gaps = bound
	rpitest.RunGaps(t, ranks, bound)
}
