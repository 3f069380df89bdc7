package window

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Locks are had in the order in which they are asked for: a shared one does not overtake an exclusive one that waits.
func TestLocksAreGrantedInOrder(t *testing.T) {
	w := New(&Process{Transport: &deaf{}, Continuations: rpi.NewContinuations()}, pair{}, 0, 0, 6, nil)
	ask := func(rank int, v verb, l LockType) {
		w.mu.Lock()
		defer w.finish()
		w.take(w.peer(rank), header{verb: v, lock: l}, nil)
	}
	ask(1, lock, Shared)
	ask(2, lock, Exclusive)
	ask(3, lock, Shared)
	ask(4, lock, Shared)
	ask(5, lock, Exclusive)
	require.Equal(t, []int{1}, w.own.holders())
	ask(1, lock, Shared) // an error, which changes nothing
	require.Equal(t, []int{1}, w.own.holders())
	ask(1, unlock, noLock)
	require.Equal(t, []int{2}, w.own.holders())
	w.mu.Lock()
	w.forfeit(w.peer(2)) // it dies
	w.forfeit(w.peer(5))
	w.finish()
	require.Equal(t, []int{3, 4}, w.own.holders())
	require.Empty(t, w.wishes)
}

func (c *control) holders() (held []int) {
	for rank := range c.slots {
		if c.holds(rank).has() {
			held = append(held, rank)
		}
	}
	return held
}

// queue is a lock as it should be: those that have it, and then those that wait for it.
type queue struct {
	wishes []wish
	has    int
}

type wish struct {
	rank int
	lock LockType
}

func (q *queue) grant() {
	for q.has < len(q.wishes) {
		next := q.wishes[q.has].lock
		if q.has > 0 && (next == Exclusive || q.wishes[0].lock == Exclusive) {
			return
		}
		q.has++
	}
}

func (q *queue) ask(rank int, l LockType) {
	q.wishes = append(q.wishes, wish{rank, l})
	q.grant()
}

func (q *queue) release(rank int) {
	i := slices.IndexFunc(q.wishes, func(x wish) bool { return x.rank == rank })
	q.wishes = slices.Delete(q.wishes, i, i+1)
	if i < q.has {
		q.has--
	}
	q.grant()
}

func (q *queue) holders() (held []int) {
	for _, x := range q.wishes[:q.has] {
		held = append(held, x.rank)
	}
	slices.Sort(held)
	return held
}

// Whatever ranks ask for and give back, or give up, in whatever order, they have the lock as a queue would give it. A recount changes nothing.
func TestTheWordsOfALockAreAQueue(t *testing.T) {
	for seed := range uint64(10) {
		const ranks = 7
		r := rand.New(rand.NewPCG(seed, 1))
		c, q := newControl(0, ranks), queue{}
		for range 300 {
			rank := r.IntN(ranks)
			if c.holds(rank) == holdFree {
				l := Shared + LockType(r.IntN(2))
				got, fresh := c.ask(rank, l, r.IntN(2) == 0)
				q.ask(rank, l)
				require.True(t, fresh)
				require.Equal(t, slices.Contains(q.holders(), rank), got)
			} else {
				before := q.holders()
				told := c.release(rank)
				q.release(rank)
				granted := 0
				for _, h := range q.holders() {
					if !slices.Contains(before, h) {
						granted++
					}
				}
				require.Len(t, told, granted)
			}
			require.Equal(t, q.holders(), c.holders(), "seed %d", seed)
			if r.IntN(10) == 0 {
				c.enter()
				c.recount()
				c.leave()
			}
		}
	}
}

// One alone has an exclusive lock, whichever goroutines ask at the same time.
func TestOneAloneHasAnExclusiveLock(t *testing.T) {
	const ranks = 5
	c := newControl(0, ranks)
	var all sync.WaitGroup
	var readers, writers atomic.Int32
	written := 0
	for rank := range ranks {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(rank), 2))
			for range 500 {
				l := Shared + LockType(r.IntN(2))
				c.ask(rank, l, false)
				for !c.holds(rank).has() {
					runtime.Gosched()
				}
				if l == Exclusive {
					if writers.Add(1) != 1 || readers.Load() != 0 {
						t.Error("the lock is not exclusive")
					}
					written++
					writers.Add(-1)
				} else {
					readers.Add(1)
					if writers.Load() != 0 {
						t.Error("the lock is not shared")
					}
					readers.Add(-1)
				}
				c.release(rank)
			}
		})
	}
	all.Wait()
	require.Empty(t, c.holders())
	require.Zero(t, c.lock.waiting.Load()+c.lock.shared.Load()+c.lock.exclusive.Load())
}

// A process that dies amid a change leaves the slots right, and the rest to the next one.
func TestADeathAmidAChangeOfALock(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, dead.Run())
	c := newControl(0, 4)
	c.ask(1, Exclusive, false)
	c.ask(2, Exclusive, false)
	c.ask(3, Shared, false)
	c.lock.guard.Store(uint32(dead.Process.Pid))
	c.set(1, holdFree) // it has begun to give the lock back
	c.lock.waiting.Store(7)
	require.Equal(t, []int{2}, c.release(1))
	require.Equal(t, []int{2}, c.holders())
	require.Equal(t, []int{3}, c.release(2))
	require.Empty(t, c.release(3))
	require.Zero(t, c.lock.waiting.Load()+c.lock.shared.Load()+c.lock.exclusive.Load())
}
