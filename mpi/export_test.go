package mpi

import (
	"time"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
)

// WithHosts has the ranks of RunLocal take each other to be on the hosts of these numbers.
func WithHosts(hosts ...int32) Option {
	return func(s *startup.Settings) error {
		s.Hosts = hosts
		return nil
	}
}

// Properties are what algorithms may rely on.
func Properties[T any](op Op[T]) (commutes, exact, safe bool) {
	r := reduction(op)
	return r.Commutes, r.Exact, r.Safe
}

// In tests communicators find out early whether short calls go by memory.
func init() { collective.TryAt = func(number uint32) bool { return number > 0 } }

// SetAskAfter sets how long collective calls wait before they ask.
func SetAskAfter(d time.Duration) { collective.AskAfter = d }

// Looks is how often the collective call that a rank is in has been found waiting.
func Looks(world *Comm) uint32 { return world.view.Looks() }

// Nearby reports whether short collective calls of a communicator take no messages.
func Nearby(c *Comm) bool { return c.view.Nearby() }

// Says returns what the process of c says when it is asked what it waits for.
func (c *Comm) Says() string { return hang.Lines([]hang.Rank{c.view.Report()})[0] }

// Blocks reports whether the rank waits in an MPI call that has blocked.
func (c *Comm) Blocks() bool {
	waits := c.view.Report().Waits
	return len(waits) > 0 && waits[0].Time > 0
}

// Kill ends the process of c.
func (c *Comm) Kill() { c.view.Kill() }

// ObjectByte is an element of messages that are objects.
type ObjectByte = object

// DataOf is count elements of any datatype.
func DataOf(addr unsafe.Pointer, count int, t *datatype.Type) Data {
	return Data{core.Buffer{Addr: addr, Count: count, Type: t}}
}
