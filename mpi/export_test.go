package mpi

import "time"

// SetAskAfter sets how long collective calls wait before they ask.
func SetAskAfter(d time.Duration) { askAfter = d }

// Looks is how often the collective call that a rank is in has been found waiting.
func Looks(world *Comm) uint32 {
	w := &world.process.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.comms[world.communicator]; s != nil && s.call == world.calls.Load() {
		return s.looks
	}
	return 0
}
