package rank

import "github.com/sctpmpi/sctpmpi/mpi"

// Tags of what the programs send beside what they measure.
const (
	tagWork     = 1 // what is measured
	tagAnswer   = 2 // the receiver's word that all has come
	tagControl  = 3
	tagCrowd    = 4
	tagIdleBase = 1000    // and up: what nobody matches while it is measured
	tagsEach    = 1 << 20 // tags of a goroutine, where there are several
)

// meet makes connections between each of the first two ranks and all others. Those return
// when the first two have left.
func meet(world *mpi.Comm) (leave func(), err error) {
	var word [1]byte
	if rank := world.Rank(); rank >= 2 {
		for range 2 {
			status, err := mpi.Recv(world, word[:], mpi.AnySource, tagCrowd)
			if err != nil {
				return nil, err
			}
			if err := mpi.Send(world, word[:], status.Source, tagCrowd); err != nil {
				return nil, err
			}
		}
		_, err := mpi.Recv(world, word[:], 0, tagCrowd)
		return nil, err
	}
	for idle := 2; idle < world.Size(); idle++ {
		if err := mpi.Send(world, word[:], idle, tagCrowd); err != nil {
			return nil, err
		}
		if _, err := mpi.Recv(world, word[:], idle, tagCrowd); err != nil {
			return nil, err
		}
	}
	return func() {
		if world.Rank() != 0 {
			return
		}
		for idle := 2; idle < world.Size(); idle++ {
			_ = mpi.Send(world, word[:], idle, tagCrowd) // Finalize tells who is gone
		}
	}, nil
}
