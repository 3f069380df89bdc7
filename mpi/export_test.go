package mpi

import (
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/hang"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
)

// SetAskAfter sets how long collective calls wait before they ask.
func SetAskAfter(d time.Duration) { collective.AskAfter = d }

// Looks is how often the collective call that a rank is in has been found waiting.
func Looks(world *Comm) uint32 { return world.view.Looks() }

// Says returns what the process of c says when it is asked what it waits for.
func (c *Comm) Says() string { return hang.Lines([]hang.Rank{c.view.Report()})[0] }

// Kill ends the process of c.
func (c *Comm) Kill() { c.view.Kill() }
