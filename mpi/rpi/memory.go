package rpi

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// MemorySharer is a Transport that uses memory which it shares with peers of its host.
type MemorySharer interface {
	// SharesMemory reports whether it may share memory with a peer, if that is on its host.
	SharesMemory(peer matching.Rank) bool
	// OneProcess reports whether all ranks of the job are in this process, and share its memory.
	OneProcess() bool

	// HasMemory reports whether memory is shared with a peer now: then Rouse reaches it.
	HasMemory(peer matching.Rank) bool
	// Lost is with how many peers memory was shared that are gone by now.
	Lost() int
	// Watch has w looked at wherever this process looks for messages, until it has arrived, another peer is Lost, or Unwatch is called.
	// What it waits for is in memory that peers write: they write it, and then Rouse this process.
	Watch(w Watched)
	// Unwatch ends that. Afterwards no method of w is called, nor under way. It does nothing if w is not watched.
	Unwatch(w Watched)
	// Rouse wakes those of the peers that wait for messages, blocked, so that they look.
	Rouse(peers []matching.Rank)
	// Look looks for q, and takes messages meanwhile, as long as a goroutine that waits looks before it blocks. It returns since when it
	// has looked, 0 if it has not, or once only. If q has not completed then the caller waits for a Request, whose Looked is what is returned. It
	// ends soon after ctx has.
	Look(ctx context.Context, q Quarry) (looked time.Duration)
}

// Quarry is what a goroutine looks for. Its methods must neither wait nor call the transport.
type Quarry interface {
	// Completed reports whether it is there, and Stirred whether it is to be looked for no longer.
	Completed() bool
	Stirred() bool
	Kind() WaitKind
}

// Watched is something that peers write into memory. Its methods must neither wait nor call the transport.
type Watched interface {
	// Arrived reports whether it is there.
	Arrived() bool
	// Take is called when it is there, or a peer has been lost, once: it is not watched any more.
	Take()
}
