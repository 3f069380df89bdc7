package mpi

import "github.com/sctpmpi/sctpmpi/mpi/hang"

// Says returns what the process of c says when it is asked what it waits for.
func (c *Comm) Says() string { return hang.Lines([]hang.Rank{c.process.report()})[0] }

// Kill ends the process of c.
func (c *Comm) Kill() { c.process.transport.Kill() }
