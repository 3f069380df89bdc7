package rpi

import "github.com/sctpmpi/sctpmpi/matching"

// MemorySharer is a Transport that uses memory which it shares with peers of its host.
type MemorySharer interface {
	// SharesMemory reports whether it may share memory with a peer, if that is on its host.
	SharesMemory(peer matching.Rank) bool
	// OneProcess reports whether all ranks of the job are in this process, and share its memory.
	OneProcess() bool
}
