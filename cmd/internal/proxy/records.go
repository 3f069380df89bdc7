package proxy

import (
	"fmt"
	"path/filepath"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// Trace and Profile are what a rank has recorded: the proxy sends it during Finish, all traces and then all profiles, those of its
// ranks one after the other in their order. They must be asked for before.
func (h *Host) Trace(rank int) *Stream   { return h.conn.stream(uint32(rank), frame.Trace) }
func (h *Host) Profile(rank int) *Stream { return h.conn.stream(uint32(rank), frame.Profile) }

// ProfileOf is the file of a rank's profile, as package mpi names it.
func ProfileOf(folder string, rank int) string {
	return filepath.Join(folder, fmt.Sprintf("rank-%d.pprof", rank))
}
