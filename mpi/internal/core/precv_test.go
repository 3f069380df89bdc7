package core

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Announcements that no partitioned send makes are refused, whatever their numbers add up to.
func TestWrongAnnouncementsAreRefused(t *testing.T) {
	const context = 1 << contextFlagBits
	for _, a := range []announcement{
		{Context: context, Parts: 0, Length: 8, Total: 8},
		{Context: context, Parts: maxParts + 1},
		{Context: context, Parts: 2, Length: 8, Total: 17},
		{Context: context, Parts: 3, Length: 8, Total: 8},
		{Context: context, Parts: 4, Length: 1 << 62},
		{Context: context, Parts: 1, Length: -1, Total: -1},
		{Context: context, Parts: 2, Length: 8, Total: 16, Tag: MaxTag},
		{Context: context, Parts: 2, Length: 8, Total: 16, Tag: math.MaxInt64},
		{Context: context | announcements, Parts: 2, Length: 8, Total: 16},
		{Parts: 2, Length: 8, Total: 16},
	} {
		var p partitionedRecv
		p.op, p.announcement = "MPI_Precv_init", a
		p.buffer = Of(Basic(datatype.Int32), make([]int32, 8))
		p.announced.Status.Length = uint64(unsafe.Sizeof(a))
		require.ErrorIs(t, p.match(), rpi.ErrIntern, "%+v", a)
	}
}
