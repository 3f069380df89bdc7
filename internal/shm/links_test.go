package shm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// side is one of two ranks: a link and its layer, over a network that carries nothing. The test polls it.
type side struct {
	lock  *monitor.Lock
	layer *progression.Layer
	link  *Link
}

func newSide(t testing.TB, rank int) *side {
	cfg := rpi.Config{
		Rank: rank, Size: 2, OneProcess: true, SharedMemory: func(int) bool { return true }, UnexpectedLimit: 1 << 22,
	}.WithDefaults()
	s := new(side)
	s.lock = monitor.New(s.work)
	s.layer = progression.New(cfg, s.lock, progression.InOneOrder, func(show func(*progression.Frame)) { s.link.Carried(show) })
	s.link = New(cfg, s.layer, s.lock)
	d, err := driver.New(s.link.Around(silent{}), cfg)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	s.link.Start(d)
	t.Cleanup(s.link.Kill)
	return s
}

func (s *side) work() {
	for rank, ok := s.layer.Ready(); ok; rank, ok = s.layer.Ready() {
		s.link.Takes(rank)
	}
	s.link.Ring()
}

// start starts a request with the other rank. others: more sends follow soon.
func (s *side) start(op rpi.Op, tag int, buf []byte, others bool) *rpi.Request {
	return s.startRequest(&rpi.Request{Op: op, Tag: matching.Tag(tag), Buf: buf}, others)
}

func (s *side) startRequest(r *rpi.Request, others bool) *rpi.Request {
	r.Peer, r.Type, r.Elem = 1-s.link.rank(), 1, 1
	s.lock.Lock()
	defer s.lock.Unlock()
	s.layer.Start(r, others)
	return r
}

func (s *side) flush() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.layer.Flush()
}

// use has the link share memory with its peer, by this end.
func (s *side) use(t testing.TB, e *end) *peer {
	s.lock.Lock()
	p := s.link.peer(1 - s.link.rank())
	p.stage = deciding
	s.lock.Unlock()
	require.NoError(t, s.link.attach(p, e))
	return p
}

// silent is a network that carries nothing.
type silent struct{}

func (silent) Poll() (bool, error)         { return false, nil }
func (silent) Release()                    {}
func (silent) Rest(bool) (time.Time, bool) { return time.Time{}, false }
func (silent) Resume()                     {}
func (silent) Descriptor() int             { return -1 }
