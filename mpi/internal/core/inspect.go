package core

import "github.com/sctpmpi/sctpmpi/internal/hang"

// What the tests of faces need to see and do.

// Report says what the process of c waits for.
func (c *Comm) Report() hang.Rank { return c.process.report() }

// Kill ends the process of c.
func (c *Comm) Kill() { c.process.transport.Kill() }

// Nearby reports whether short collective operations of c take no messages.
func (c *Comm) Nearby() bool { return c.collectives.Shares() }

// Looks is how often the collective operation that this rank is in has been found under way.
func (c *Comm) Looks() uint32 { return c.collectives.Looks() }
