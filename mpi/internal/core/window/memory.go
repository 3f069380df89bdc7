package window

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// memory is what a rank shows the others. The zero memory has nothing.
type memory struct {
	base []byte
	unit int64 // of displacements, in bytes
	// latch guards memory of which other processes have a part too, nil otherwise. Then the mutex of its rank's window does.
	latch *latch
	// A dynamic window has regions instead, in the order of their addresses. Displacements are absolute addresses.
	dynamic bool
	regions [][]byte
	// empty counts, by their addresses, the regions without bytes, with which nothing can be done but to take them away.
	empty map[uint64]int
}

// fault is an error that is on its way to an origin: its class, and its words.
type fault struct {
	class mpierr.Class
	text  string
}

func faulty(class mpierr.Class, format string, args ...any) *fault {
	return &fault{class, fmt.Sprintf(format, args...)}
}

// at returns n bytes of the memory, from a displacement and an offset in bytes on. The offset is negative where a datatype has
// entries before the address that it is given.
func (m *memory) at(disp, offset int64, n uint64) ([]byte, *fault) {
	high, first := bits.Mul64(uint64(disp), uint64(m.unit))
	var carry uint64
	if offset < 0 {
		first, carry = bits.Sub64(first, -uint64(offset), 0)
	} else {
		first, carry = bits.Add64(first, uint64(offset), 0)
	}
	end, over := bits.Add64(first, n, 0)
	if disp < 0 || high+carry+over != 0 {
		return nil, m.outside(disp, offset, n)
	}
	if !m.dynamic {
		if end > uint64(len(m.base)) {
			return nil, m.outside(disp, offset, n)
		}
		return m.base[first:end:end], nil
	}
	i, found := m.find(first)
	if !found {
		i--
	}
	if i < 0 || first > m.end(i) {
		return nil, m.outside(disp, offset, n)
	}
	last := i
	for end > m.end(last) { // what follows may have been attached by itself
		if last++; last == len(m.regions) || address(m.regions[last]) != m.end(last-1) {
			return nil, m.outside(disp, offset, n)
		}
	}
	from := unsafe.Add(unsafe.Pointer(unsafe.SliceData(m.regions[i])), first-address(m.regions[i]))
	return unsafe.Slice((*byte)(from), n), nil
}

// reach returns the memory that an operation with its data is for.
func (m *memory) reach(h header, data []byte) ([]byte, *fault) {
	if f := h.has(data); f != nil {
		return nil, f
	}
	return m.at(h.disp, h.offset, h.length)
}

// has says why data is not what the message says that it has, nil if it is.
func (h header) has(data []byte) *fault {
	if h.length != uint64(len(data)) {
		return faulty(rpi.ErrIntern, "a message says that it has %d bytes and has %d", h.length, len(data))
	}
	return nil
}

// end is the address behind a region.
func (m *memory) end(i int) uint64 { return address(m.regions[i]) + uint64(len(m.regions[i])) }

func (m *memory) outside(disp, offset int64, n uint64) *fault {
	if m.dynamic {
		return faulty(rpi.ErrRMARange, "%d bytes from address %#x on are not within memory that is attached there", n, uint64(disp)+uint64(offset))
	}
	more := ""
	switch {
	case offset > 0:
		more = fmt.Sprintf(" and %d bytes", offset)
	case offset < 0:
		more = fmt.Sprintf(" less %d bytes", -uint64(offset))
	}
	return faulty(rpi.ErrRMARange, "%d bytes from displacement %d%s on are not within the window there, which has %d units of %d bytes",
		n, disp, more, int64(len(m.base))/m.unit, m.unit)
}

func address(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
