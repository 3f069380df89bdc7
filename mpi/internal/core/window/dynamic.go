package window

import (
	"cmp"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Dynamic makes the window one whose memory comes by Attach. Call it before others may use it.
func (w *Window) Dynamic() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.memory.dynamic = true
}

// Attach adds memory to a dynamic window, and returns its address: the displacement of its first byte (section 12.2.4).
func (w *Window) Attach(op string, b []byte) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := &w.memory
	i, found := m.find(address(b))
	switch {
	case !m.dynamic:
		return 0, mpierr.Invalid(op, rpi.ErrWin, "memory can be attached to windows of WinCreateDynamic only")
	case len(b) == 0:
		if m.empty == nil {
			m.empty = make(map[uint64]int)
		}
		m.empty[address(b)]++
		return int64(address(b)), nil
	case found || i > 0 && address(m.regions[i-1])+uint64(len(m.regions[i-1])) > address(b) ||
		i < len(m.regions) && address(b)+uint64(len(b)) > address(m.regions[i]):
		return 0, mpierr.Invalid(op, rpi.ErrRMAAttach, "a part of this memory is attached already")
	}
	m.regions = slices.Insert(m.regions, i, b)
	return int64(address(b)), nil
}

// Detach takes away memory that Attach has added, which is known by its address. No operation may be under way on it.
func (w *Window) Detach(op string, b []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := &w.memory
	switch i, found := m.find(address(b)); {
	case m.empty[address(b)] > 1:
		m.empty[address(b)]--
	case m.empty[address(b)] == 1:
		delete(m.empty, address(b))
	case found:
		m.regions = slices.Delete(m.regions, i, i+1)
	default:
		return mpierr.Invalid(op, rpi.ErrRMAAttach, "this memory has not been attached")
	}
	return nil
}

// find returns the place of the region at an address, or that where it would be.
func (m *memory) find(a uint64) (int, bool) {
	return slices.BinarySearchFunc(m.regions, a, func(r []byte, a uint64) int { return cmp.Compare(address(r), a) })
}
