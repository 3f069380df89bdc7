package rank

import "github.com/sctpmpi/sctpmpi/mpi"

// Tags.
const (
	tagWork          = 1 // messages that are measured
	tagAnswer        = 2 // the receiver has got everything
	tagControl       = 3
	tagIdle          = 4
	tagUnmatchedBase = 1000    // and up: receives and messages that match nothing, or many tags
	tagsEach         = 1 << 20 // number of tags of each goroutine
)

// connectIdle makes connections between each of the first two ranks and all others. In the other
// ranks it returns when rank 0 has called leave.
func connectIdle(world *mpi.Comm) (leave func(), err error) {
	var word [1]byte
	if rank := world.Rank(); rank >= 2 {
		for range 2 {
			status, err := mpi.Recv(world, word[:], mpi.AnySource, tagIdle)
			if err != nil {
				return nil, err
			}
			if err := mpi.Send(world, word[:], status.Source, tagIdle); err != nil {
				return nil, err
			}
		}
		_, err := mpi.Recv(world, word[:], 0, tagIdle)
		return nil, err
	}
	for idle := 2; idle < world.Size(); idle++ {
		if err := mpi.Send(world, word[:], idle, tagIdle); err != nil {
			return nil, err
		}
		if _, err := mpi.Recv(world, word[:], idle, tagIdle); err != nil {
			return nil, err
		}
	}
	return func() {
		if world.Rank() != 0 {
			return
		}
		for idle := 2; idle < world.Size(); idle++ {
			_ = mpi.Send(world, word[:], idle, tagIdle) // Finalize reports ranks that have failed
		}
	}, nil
}
