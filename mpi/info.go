package mpi

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

// Info is hints: keys and values, which are text (MPI 4.1, chapter 10). Keys have at most 255 bytes, values at most 1023. Its
// zero value is empty and ready to use; nil is empty too. Hints that the library does not know are ignored.
type Info struct{ info info.Info }

func (i *Info) core() *info.Info { return (*info.Info)(unsafe.Pointer(i)) }

func newInfo(i *info.Info) *Info { return (*Info)(unsafe.Pointer(i)) }

// Set gives a key a value (MPI_INFO_SET; MPI 4.1, chapter 10). ErrArg: key or value is too long.
func (i *Info) Set(key, value string) error { return public(i.core().Set("mpi.Info.Set", key, value)) }

// Get returns the value of a key, and whether it has one (MPI_INFO_GET_STRING).
func (i *Info) Get(key string) (value string, ok bool) { return i.core().Get(key) }

// Delete removes a key (MPI_INFO_DELETE). ErrArg: it is not there.
func (i *Info) Delete(key string) error { return public(i.core().Delete("mpi.Info.Delete", key)) }

// Keys lists the keys, in the order in which they were first set (MPI_INFO_GET_NKEYS and MPI_INFO_GET_NTHKEY).
func (i *Info) Keys() []string { return i.core().Keys() }

// Dup returns a copy (MPI_INFO_DUP).
func (i *Info) Dup() *Info { return newInfo(i.core().Dup()) }

// SetInfo sets hints of a communicator (MPI_COMM_SET_INFO; section 7.4.4). All ranks pass the same. Each may be "true" or
// "false", else the error is ErrArg:
//
//   - mpi_assert_no_any_tag, mpi_assert_no_any_source: no receive and no probe has a wildcard. One that has is ErrTag or
//     ErrRank.
//   - mpi_assert_allow_overtaking: a receive or probe with AnyTag may take a message though others that were sent before it
//     have not arrived, because a packet of theirs was lost, for instance. Without it such a receive waits for them.
//   - mpi_assert_exact_length: changes nothing, as lengths are checked in any case.
//
// With mpi_assert_no_any_tag or mpi_assert_allow_overtaking a rank does not look at the order in which another one has sent
// messages with different tags. Messages with one tag keep their order. This holds for what a rank receives from when it has
// made this call; others need not have. If both are withdrawn, messages that were sent before may still overtake each
// other, and no later ones.
//
// SetInfo waits for all ranks. If the hints of one are wrong it fails on all, and the hints are as before.
func (c *Comm) SetInfo(hints *Info) error { return public(c.core().SetHints(hints.core())) }

// Info returns the hints that are in use (MPI_COMM_GET_INFO; section 7.4.4).
func (c *Comm) Info() (*Info, error) {
	hints, err := c.core().Hints()
	return newInfo(hints), public(err)
}
