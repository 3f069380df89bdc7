package core

import "github.com/sctpmpi/sctpmpi/mpi/hang"

// What the tests of faces need to see and do.

// Report says what the process of c waits for.
func (c *Comm) Report() hang.Rank { return c.process.report() }

// Kill ends the process of c.
func (c *Comm) Kill() { c.process.transport.Kill() }

// Looks is how often the collective call that this rank is in has been found waiting.
func (c *Comm) Looks() uint32 {
	w := &c.process.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.comms[c]; s != nil && s.call == c.calls.Load() {
		return s.looks
	}
	return 0
}
