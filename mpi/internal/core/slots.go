package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A reduction works on elements as they are in memory, since its operation may be a function of the program. Each element has a
// slot, and the slots follow each other. Those of most types are the memory of the buffer itself, with its padding. If there may
// be something else in the gaps of a type, such as the other columns of a matrix, the elements are copied to an image.

// Slot is the size of the slots of a type in bytes, and where in its slot an element has its address: before it if it is
// negative. If the elements lie between each other in memory the slots are larger than the extent. Then the distance of two
// elements is not what the program expects, and Op.Combine must take them one by one.
func Slot(t *Type) (size, address int) {
	low, high := t.LowerBound(), t.LowerBound()+t.Extent()
	first, last := t.TrueLowerBound(), t.TrueLowerBound()+t.TrueExtent()
	if low <= first && last <= high {
		return int(t.Extent()), -int(low)
	}
	return int(last-first+15) &^ 15, -int(first)
}

func slot(t *Type) int {
	size, _ := Slot(t)
	return size
}

// inPlace reports whether the slots are the memory of a buffer.
func inPlace(t *Type) bool { return t.Dense() || t.Padded() }

// slots returns the slots of b for the schedule of o.
func slots(o *collective.Operation, b Buffer, u use) []byte {
	if inPlace(b.Type) {
		return b.solid()
	}
	if b.Len() == 0 {
		return nil
	}
	m := imageOf(b, b.Count*slot(b.Type))
	imagesOf(o, m).add(segment{b, m.bytes, true}, u)
	return m.bytes
}

// solid is the memory of b with its padding.
func (b Buffer) solid() []byte { return unsafe.Slice((*byte)(b.Addr), b.Count*int(b.Type.Extent())) }

// vector is the slots of b as algorithms see them.
func (b Buffer) vector() schedule.Vector {
	return schedule.Vector{Count: b.Count, Elem: max(slot(b.Type), 1)}
}

// slotted is all slots of b.
func slotted(as schedule.Buffer, b Buffer) schedule.Part {
	return schedule.Part{Buffer: as, Length: b.vector().Length()}
}

// chunk is about how many bytes are copied at a time between memory and slots.
const chunk = 4096

// spread copies the elements of g between their memory and their slots.
func (g segment) spread(toSlots bool) {
	size, address := Slot(g.Type)
	n := 1
	if size == int(g.Type.Extent()) {
		n = max(chunk/int(g.Type.Size()), 1)
	}
	packed := make([]byte, n*int(g.Type.Size()))
	for i := 0; i < g.Count; i += n {
		n = min(n, g.Count-i)
		memory := g.section(i, n)
		there := Buffer{unsafe.Add(unsafe.Pointer(unsafe.SliceData(g.at)), i*size+address), n, g.Type}
		if !toSlots {
			memory, there = there, memory
		}
		there.Unpack(0, packed[:memory.Pack(packed, 0)])
	}
}

// overlap checks that the buffers of a reduction share no memory, unless they are the same (MPI_IN_PLACE).
func overlap(op string, send, recv Buffer) *mpierr.Error {
	if !inPlace(send.Type) || !inPlace(recv.Type) {
		return nil
	}
	if in, out := send.solid(), recv.solid(); overlapping(in, out) && !same(in, out) {
		return mpierr.Invalid(op, rpi.ErrBuffer, "the send and the receive buffer overlap without being the same")
	}
	return nil
}
