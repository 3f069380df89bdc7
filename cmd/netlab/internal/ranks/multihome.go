package ranks

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Multihome sends messages at intervals from rank 1 to rank 0, over networks of which one is cut and healed meanwhile.
type Multihome struct {
	Size, Count int // bytes, messages
	Every       time.Duration
	Window      int           // messages under way: so many wait while nothing arrives
	After, For  time.Duration // of the cut, as plan.Cut has them, from when rank 0 says that the work begins
}

// Load implements plan.Loaded.
func (p Multihome) Load(int) plan.Load {
	return plan.Load{Bytes: p.Count * p.Size, Time: time.Duration(p.Count)*p.Every + p.For}
}

// multihome measures the longest time without a message, and what passes before, during and after the cut. That the peer is given up is
// no failure, but what has been measured.
func multihome(world *mpi.Comm, p Multihome, stdout io.Writer) (Metrics, error) {
	if err := world.Barrier(); err != nil { // the connection is there
		return nil, err
	}
	if err := setRTOMin(os.Getenv(RTOMinVariable)); err != nil {
		return nil, err
	}
	if world.Rank() != 0 {
		w := newWindow(world, 0, tagSmall, p.Size, p.Window)
		err := pace(p.Every, p.Count, func(i uint64) error { return w.send(i, nil) })
		return nil, unlessGivenUp(firstOf(err, w.end()))
	}
	if _, err := fmt.Fprintln(stdout, Begun); err != nil {
		return nil, err
	}
	o := newOutage(p)
	_, err := receive(world, 1, tagSmall, p.Size, p.Window, func([]byte) { o.arrived(time.Now()) })
	return o.metrics(err, time.Now()), unlessGivenUp(err)
}

// unlessGivenUp returns an error unless it says that the peer counts as dead.
func unlessGivenUp(err error) error {
	if errors.Is(err, mpi.ErrProcFailed) {
		return nil
	}
	return err
}
