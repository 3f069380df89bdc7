package meeting

import (
	"fmt"
	"os"
	"sync"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
)

// ErrNoRoom: this host, or a memory control group of this process, has too little memory left for a segment.
var ErrNoRoom = hostmem.ErrNoRoom

// Segment is memory that processes share. Its size cannot change, so that no access to it fails.
type Segment struct {
	memory []byte
	fd     int // -1: it cannot be handed over
}

// NewSegment makes a segment of zeroes. Size is in bytes, a multiple of the page size. All its pages are allocated, and count as
// this process's: see [hostmem.New]. A segment takes one descriptor.
func NewSegment(size int) (*Segment, error) {
	if size <= 0 || size%os.Getpagesize() != 0 {
		return nil, fmt.Errorf("a segment of %d bytes: it must have whole pages", size)
	}
	fd, memory, err := hostmem.New("sctpmpi", size)
	if err != nil {
		return nil, err
	}
	return &Segment{memory: memory, fd: fd}, nil
}

// mapSegment maps what a peer has handed over as a segment, if it is one.
func mapSegment(fd int, size int64) (*Segment, error) {
	if size%int64(os.Getpagesize()) != 0 {
		return nil, fmt.Errorf("%w: %d bytes are not whole pages", ErrSegment, size)
	}
	memory, err := hostmem.Map(fd, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSegment, err)
	}
	return &Segment{memory: memory, fd: -1}, nil
}

// Bytes is the memory. Peers write it at any time. It must not be touched after Close: that ends the process.
func (s *Segment) Bytes() []byte { return s.memory }

// CloseFile closes the descriptor of a segment that is not to be handed over again. The memory stays.
func (s *Segment) CloseFile() {
	closeFD(s.fd)
	s.fd = -1
}

// Close unmaps the memory. It is freed when no process has it any more. It may be called again.
func (s *Segment) Close() {
	s.CloseFile()
	hostmem.Unmap(s.memory)
	s.memory = nil
}

// Doorbell wakes the process that waits for it. It is an eventfd, of which the peers have a descriptor each. The methods may be
// called at the same time.
type Doorbell struct {
	fd int
	mu sync.RWMutex // so that no call uses a descriptor that has been closed
}

// DoorbellOf makes a doorbell of an eventfd, which stays the caller's. It takes one descriptor.
func DoorbellOf(eventfd int) (*Doorbell, error) {
	fd, err := duplicate(eventfd)
	if err != nil {
		return nil, err
	}
	return &Doorbell{fd: fd}, nil
}

// Ring makes the eventfd readable, until its process reads it.
func (d *Doorbell) Ring() error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return ring(d.fd)
}

// Close closes the descriptor. It may be called again, and for nil.
func (d *Doorbell) Close() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	closeFD(d.fd)
	d.fd = -1
}
