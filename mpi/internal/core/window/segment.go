package window

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
)

// Segment is memory that ranks of one host share (section 12.2.3). Where all of them are in one process it is
// memory of that.
type Segment struct {
	memory []byte // behind its first size bytes there is a control for each part
	size   int
	// order is changed before and after each use of the memory that is ordered with others, since Go's memory model wants
	// it said that they are.
	order  *atomic.Uint64
	file   *os.File // of the rank that has made it, until Close or Shared
	mapped bool
	key    uint64 // of the segments of this process
}

// Ticket is by what other processes find a segment. The zero Ticket is of none.
type Ticket struct{ Process, File, Key int64 }

// segments has the segments of this process that are being shared within it, by their keys.
var (
	segments sync.Map // uint64 → *Segment
	lastKey  atomic.Uint64
)

// line is what processors that write memory keep others from, in bytes.
const line = 64

// segmentSize is how many bytes a segment takes.
func segmentSize(size, parts, ranks int) int {
	return (size+line-1)/line*line + parts*controlSize(ranks)
}

// Host tells hosts apart, and the spaces of a host that have process numbers of their own.
var Host = sync.OnceValue(host)

// NewSegment makes a segment of so many bytes, all 0, in parts of as many ranks. Each has a control, for so many ranks of the window. Within: all
// ranks that share it are in this process.
func NewSegment(size, parts, ranks int, within bool) (*Segment, Ticket, error) {
	s := &Segment{size: size, key: lastKey.Add(1), order: new(atomic.Uint64)}
	t := Ticket{Process: int64(os.Getpid()), File: -1, Key: int64(s.key)}
	all := segmentSize(size, parts, ranks)
	if within {
		if most := hostmem.Most(); int64(size) > most {
			return nil, Ticket{}, fmt.Errorf("%d bytes of shared memory: this host has %d, swap included", size, most)
		}
		words := make([]uint64, all/8)
		s.memory = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), all)
		segments.Store(s.key, s)
		return s, t, nil
	}
	const name = "sctpmpi-window"
	fd, memory, err := hostmem.New(name, all)
	if err != nil {
		return nil, Ticket{}, err
	}
	s.file, s.memory, s.mapped = os.NewFile(uintptr(fd), name), memory, true
	t.File = int64(fd)
	return s, t, nil
}

// OpenSegment opens a segment that another rank has made.
func OpenSegment(t Ticket, size, parts, ranks int) (*Segment, error) {
	if t.File < 0 {
		if s, ok := segments.Load(uint64(t.Key)); ok && t.Process == int64(os.Getpid()) {
			return &Segment{memory: s.(*Segment).memory, size: size, order: s.(*Segment).order}, nil
		}
		return nil, fmt.Errorf("process %d shares no memory", t.Process)
	}
	file, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", t.Process, t.File), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	memory, err := hostmem.Map(int(file.Fd()), int64(segmentSize(size, parts, ranks)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return &Segment{memory: memory, size: size, mapped: true, order: new(atomic.Uint64)}, nil
}

// Bytes is the memory. It must not be touched after Close: that ends the process if it is mapped.
func (s *Segment) Bytes() []byte { return s.memory[:s.size:s.size] }

// control is that of a part, which a rank of so many owns.
func (s *Segment) control(part, owner, ranks int) *control {
	return controlIn(s.memory[segmentSize(s.size, part, ranks):], owner, ranks)
}

// Shared notes that all ranks have opened the segment.
func (s *Segment) Shared() {
	segments.Delete(s.key)
	if s.file != nil {
		_ = s.file.Close() // it has no data that could be lost
		s.file = nil
	}
}

// Close gives the memory back, when no rank uses it any more.
func (s *Segment) Close() {
	s.Shared()
	if s.mapped {
		hostmem.Unmap(s.memory)
	}
	s.memory, s.size, s.mapped = nil, 0, false
}
