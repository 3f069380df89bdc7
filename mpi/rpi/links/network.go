package links

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// Network carries frames to the peers with which no memory is shared. What has the name of a method of rpi.Transport is that method, for these
// peers alone. Next, Carried, and Sent of a Batch are called with the engine's lock held, all others without.
type Network interface {
	// Next takes what can be handed over to a peer now off its queue (progression.Layer.Queue). It returns nil if there is nothing, or the
	// network takes nothing now; then it calls Layer.SetReady when it does. If there is no connection with the peer it begins to make one.
	Next(peer matching.Rank) Batch
	// Carried shows the frames that have been taken off their queues and have not left. It may leave out those that a system call has
	// right now.
	Carried(show func(*progression.Frame))

	Address() string
	Connect(ctx context.Context) error
	GiveUp(peer matching.Rank, cause error)
	Close(ctx context.Context) error
	Usage() rpi.Usage
}

// Batch is what is handed over to a peer in one call.
type Batch interface {
	// Send makes the call.
	Send()
	// Sent takes in what came of it, and returns what is to be handed over to the peer next, nil if that is nothing.
	Sent() Batch
}
