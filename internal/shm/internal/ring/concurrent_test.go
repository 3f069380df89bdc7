package ring

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mapping makes memory that is seen at two places, and for the race detector, which takes those for two memories, memory
// at one place.
type mapping struct {
	name string
	make func(t *testing.T, size int) (writing, reading []byte)
}

// mappings are all that this system has.
func mappings() []mapping {
	one := mapping{"one mapping", func(_ *testing.T, size int) ([]byte, []byte) {
		mem := aligned(size)
		return mem, mem
	}}
	return append([]mapping{one}, twoMappings...)
}

// TestFramesBetweenGoroutines sends random frames as fast as they go: the ring is empty, full and anything between.
func TestFramesBetweenGoroutines(t *testing.T) {
	const frames = 5000
	for _, m := range mappings() {
		t.Run(m.name, func(t *testing.T) {
			p, c := endsIn(t, m, MinRingSize)
			length := func(number int) int {
				r := rand.New(rand.NewPCG(uint64(number), 1))
				if r.IntN(10) == 0 {
					return r.IntN(p.Limit() + 1)
				}
				return r.IntN(100)
			}
			var sending sync.WaitGroup
			defer sending.Wait()
			sending.Go(func() {
				for i := 0; i < frames && !t.Failed(); {
					f := frame{i, length(i)}
					ok, err := p.Put(f.header(), f.body())
					if !assert.NoError(t, err) {
						return
					}
					if ok {
						i++
					} else {
						runtime.Gosched()
					}
				}
			})
			var f Frame
			for i := 0; i < frames; {
				ok, err := c.Next(&f)
				require.NoError(t, err)
				if ok {
					same(t, frame{i, length(i)}, &f)
					i++
				}
				if !ok || i%3 == 0 {
					c.Done()
				}
				if !ok {
					runtime.Gosched()
				}
			}
		})
	}
}

func endsIn(t *testing.T, m mapping, size int) (*Producer, *Consumer) {
	writing, reading := m.make(t, size)
	return endsOf(t, writing, reading)
}

// TestSleepersAreWoken runs senders and one receiver, which all block when there is nothing to do: for a frame, or for
// room. If a wake were lost they would wait for ever.
func TestSleepersAreWoken(t *testing.T) {
	const senders, frames = 7, 2000
	for _, m := range mappings() {
		t.Run(m.name, func(t *testing.T) {
			receiver := newRank(t, m, senders+1)
			var all []*rank
			for i := range senders {
				s := newRank(t, m, senders+1)
				connect(t, m, s, i, receiver, senders)
				all = append(all, s)
			}
			var running sync.WaitGroup
			for _, s := range all {
				running.Go(func() { s.sendAll(t, senders, frames) })
			}
			defer running.Wait()
			defer func() {
				if t.Failed() { // else the senders end by themselves
					for _, s := range all {
						close(s.quit)
					}
				}
			}()
			receiver.receiveAll(t, senders, frames)
		})
	}
}

// rank is what one process would have: an inbox, a doorbell and an end of each ring.
type rank struct {
	mem, memOfOthers []byte
	inbox            *Inbox
	bell             chan struct{}
	quit             chan struct{} // closed when a test has failed
	in               map[int]*Consumer
	out              map[int]*Producer
	notify           map[int]func()
}

func newRank(t *testing.T, m mapping, ranks int) *rank {
	size := InboxSize(ranks)
	mine, others := m.make(t, size)
	require.NoError(t, FormatInbox(mine, ranks))
	inbox, err := NewInbox(mine, ranks)
	require.NoError(t, err)
	return &rank{
		mem: mine, memOfOthers: others, inbox: inbox, bell: make(chan struct{}, 1), quit: make(chan struct{}),
		in: make(map[int]*Consumer), out: make(map[int]*Producer), notify: make(map[int]func()),
	}
}

// connect makes the rings between two ranks with their numbers.
func connect(t *testing.T, m mapping, a *rank, aNumber int, b *rank, bNumber int) {
	ranks := len(a.inbox.peers)
	aOut, bIn := endsIn(t, m, MinRingSize)
	bOut, aIn := endsIn(t, m, MinRingSize)
	a.in[bNumber], a.out[bNumber], b.in[aNumber], b.out[aNumber] = aIn, aOut, bIn, bOut
	attach := func(self *rank, selfNumber int, other *rank, number int) (notify func()) {
		n, err := NewNotifier(other.memOfOthers, ranks, selfNumber)
		require.NoError(t, err)
		self.inbox.Attach(number, self.in[number], self.out[number], n)
		return func() {
			if n.Notify() {
				select {
				case other.bell <- struct{}{}:
				default: // rung already, as with an eventfd
				}
			}
		}
	}
	a.notify[bNumber], b.notify[aNumber] = attach(a, aNumber, b, bNumber), attach(b, bNumber, a, aNumber)
}

// wait blocks until there is something to do, and returns the peers.
func (r *rank) wait() []int {
	for {
		if ready := r.inbox.Look(nil); len(ready) > 0 {
			return ready
		}
		if r.inbox.Sleep() {
			select {
			case <-r.bell:
			case <-r.quit:
				return nil
			}
			r.inbox.Awake()
		}
	}
}

func (r *rank) sendAll(t *testing.T, to, frames int) {
	for i := 0; i < frames && !t.Failed(); {
		ok, err := r.out[to].Put(frame{i, i % 1000}.header(), make([]byte, i%1000))
		if !assert.NoError(t, err) {
			return
		}
		if ok {
			i++
			r.notify[to]()
			continue
		}
		room, err := r.out[to].Starve(i % 1000)
		if !assert.NoError(t, err) {
			return
		}
		if !room {
			r.wait()
		}
	}
}

func (r *rank) receiveAll(t *testing.T, senders, frames int) {
	got := make([]int, senders)
	for left := senders * frames; left > 0; {
		for _, peer := range r.wait() {
			var f Frame
			for range 1 + left%5 { // a bounded number of frames of one peer
				ok, err := r.in[peer].Next(&f)
				require.NoError(t, err)
				if !ok {
					break
				}
				require.Equal(t, *frame{got[peer], 0}.header(), f.Header)
				require.Equal(t, got[peer]%1000, len(f.Body)+len(f.Rest))
				got[peer]++
				left--
			}
			if r.in[peer].Done() {
				r.notify[peer]()
			}
		}
	}
}
