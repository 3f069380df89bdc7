package shm

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
)

// Ranks of one process share its memory: nothing is mapped, and no system call is made but to wake.

// links are those of this process whose peers are in it too, by their names.
var links sync.Map

// register makes up the name by which peers of this process find a link.
func register(l *Link) (name string) {
	var random [16]byte
	rand.Read(random[:]) // never fails
	name = hex.EncodeToString(random[:])
	links.Store(name, l)
	return name
}

func unregister(l *Link) { links.Delete(l.name) }

// join meets a peer in this process.
func (l *Link) join(p *peer, name string) error {
	found, ok := links.Load(name)
	if !ok {
		return errProcess
	}
	there := found.(*Link)
	if !bytes.Equal(l.cfg.Token, there.cfg.Token) {
		return meeting.ErrToken
	}
	switch there.admit(l.cfg.Rank) {
	case meeting.Yours:
		return meeting.ErrYours
	case meeting.Closed:
		return meeting.ErrClosed
	}
	ours, theirs, err := l.bind(there)
	if err == nil {
		there.lock.Lock()
		q := there.peer(l.rank())
		there.lock.Unlock()
		if err = there.attach(q, theirs); err == nil {
			err = l.attach(p, ours)
		}
	}
	if err != nil {
		there.update(func() { there.accepted(there.peer(l.rank())) })
	}
	return err
}

// bind makes the two ends of the memory that two links share.
func (l *Link) bind(there *Link) (ours, theirs *end, err error) {
	pair := heap(ring.PairSize(l.cfg.LocalSize))
	if err := formatPair(pair); err != nil {
		return nil, nil, err
	}
	our, err := l.useInbox(onHeap)
	if err != nil {
		return nil, nil, err
	}
	their, err := there.useInbox(onHeap)
	if err != nil {
		return nil, nil, err
	}
	lower := l.cfg.Rank < there.cfg.Rank
	if ours, err = newEnd(pair, their.memory, lower, l.cfg.Rank, l.cfg.Size); err != nil {
		return nil, nil, err
	}
	if theirs, err = newEnd(pair, our.memory, !lower, there.cfg.Rank, l.cfg.Size); err != nil {
		return nil, nil, err
	}
	a, b := &companion{wakes: there.driver.Wake}, &companion{wakes: l.driver.Wake}
	a.peer, b.peer = b, a
	ours.neighbour, ours.lends, ours.made = a, true, len(pair)
	theirs.neighbour, theirs.lends = b, true
	return ours, theirs, nil
}

// heap is memory that begins at a multiple of the size of a line.
func heap(size int) []byte {
	b := make([]byte, size+ring.LineSize)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (ring.LineSize - 1)
	return b[skip : skip+size : skip+size]
}

func onHeap(size int) ([]byte, *meeting.Segment, error) { return heap(size), nil, nil }

// companion is the neighbour of a rank in the same process. What it lends its peer copies.
type companion struct {
	peer  *companion
	wakes func()

	mu    sync.Mutex // held while the peer copies
	left  bool
	table sync.Mutex // of loans
	loans [][]byte   // by number
}

func (c *companion) lend(id uint32, b []byte) uint64 {
	c.table.Lock()
	defer c.table.Unlock()
	for int(id) >= len(c.loans) {
		c.loans = append(c.loans, nil)
	}
	c.loans[id] = b
	return 0
}

func (c *companion) returned(id uint32) {
	c.table.Lock()
	defer c.table.Unlock()
	c.loans[id] = nil
}

func (c *companion) read(dst []byte, id uint32, _ uint64, offset int) error {
	from := c.peer
	from.mu.Lock()
	defer from.mu.Unlock()
	if from.left {
		return errLeft
	}
	from.table.Lock()
	loan := from.loans[id]
	from.table.Unlock()
	copy(dst, loan[offset:])
	return nil
}

func (c *companion) wake() { c.wakes() }

func (c *companion) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = true
}

func (c *companion) close()  {}
func (c *companion) forget() {}
