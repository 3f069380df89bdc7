package mpi_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Ranks that share a target's memory lock it by words, others by messages: it is one lock. So it is with fences, and with epochs between
// groups. The goroutines of a rank lock targets of their own.
func TestLocksAreOneForRanksNearAndFar(t *testing.T) {
	number := uint64(1)
	if long() {
		number = 50
	}
	for seed := range number {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
				require.NoError(t, mpi.RunLocal(4, func(world *mpi.Comm) error { return lockTogether(world, seed, 20) }, options...))
			})
		})
	}
}

// The same in processes.
func TestProcessesLockTogether(t *testing.T) {
	for _, shm := range []string{"auto", "half", "off"} {
		t.Run(shm, func(t *testing.T) {
			launched, _ := launch(t, "lock together", 4, "SCTPMPI_SHM="+shm)
			requireOnly(t, launched)
		})
	}
}

func init() {
	programs["lock together"] = func(world *mpi.Comm) error { return lockTogether(world, 7, timesOfProcesses(150, 40)) }
}

// lockTogether has all ranks count in each other's memory, under exclusive and shared locks, for some rounds that end otherwise each.
func lockTogether(world *mpi.Comm, seed uint64, each int) error {
	const rounds = 4
	w, err := mpi.WinAllocate[int64](world, 2)
	if err != nil {
		return err
	}
	counts := func(round, from, target int) (operations []mpi.LockType) {
		r := rand.New(rand.NewPCG(seed, uint64(round*1000+from*100+target)))
		for range each {
			operations = append(operations, []mpi.LockType{mpi.LockShared, mpi.LockExclusive}[r.IntN(2)])
		}
		return operations
	}
	all := world.Group()
	for round := range rounds {
		var goroutines sync.WaitGroup
		failed := make([]error, world.Size())
		for target := range world.Size() {
			goroutines.Go(func() {
				for _, l := range counts(round, world.Rank(), target) {
					if err := count(w, l, target); err != nil {
						failed[target] = err
						return
					}
				}
			})
		}
		goroutines.Wait()
		err = errors.Join(failed...)
		switch round % 3 {
		case 0:
			err = errors.Join(err, w.Fence(mpi.NoPrecede), w.Accumulate([]int64{1}, mpi.Sum, 0, 1), w.Fence(mpi.NoSucceed))
		case 1:
			err = errors.Join(err, w.Post(all), w.Start(all), w.Accumulate([]int64{1}, mpi.Sum, 0, 1), w.Complete(), w.Wait())
		default:
			err = errors.Join(err, w.LockAll(), w.Accumulate([]int64{1}, mpi.Sum, 0, 1), w.UnlockAll(), world.Barrier(), w.Sync())
		}
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	want := []int64{int64(rounds * world.Size() * each), 0}
	if world.Rank() == 0 {
		want[1] = int64(rounds * world.Size())
	}
	if err := world.Barrier(); err != nil {
		return err
	}
	if got := w.Memory(); got[0] != want[0] || got[1] != want[1] {
		return fmt.Errorf("rank %d has counted %v, not %v", world.Rank(), got, want)
	}
	return w.Free()
}

// count adds 1 at a target: by Get and Put if no other can be there meanwhile.
func count(w *mpi.Win[int64], l mpi.LockType, target int) error {
	if err := w.Lock(l, target); err != nil {
		return err
	}
	if l == mpi.LockShared {
		return errors.Join(w.Accumulate([]int64{1}, mpi.Sum, target, 0), w.Unlock(target))
	}
	was := []int64{0}
	err := errors.Join(w.Get(was, target, 0), w.Flush(target))
	was[0]++
	return errors.Join(err, w.Put(was, target, 0), w.Unlock(target))
}

// A process that is killed leaves the locks that it has, or waits for, to others, and those that wait for it learn that it is dead.
func TestAProcessThatIsKilledInAnEpoch(t *testing.T) {
	for _, shm := range []string{"auto", "half"} {
		for _, program := range []string{"killed with a lock", "killed as it waits for a lock", "killed before a post", "killed in an epoch", "killed before a fence"} {
			t.Run(shm+"/"+program, func(t *testing.T) {
				launched, _ := launch(t, program, 4, "SCTPMPI_SHM="+shm)
				requireOnly(t, launched, 2)
			})
		}
	}
}

// die ends this process as if it were killed.
func die() error {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// gone waits until rank 2 is known to be dead.
func gone(world *mpi.Comm) error {
	if _, _, err := mpi.RecvValue[int](world, 2, 9); !errors.Is(err, mpi.ErrProcFailed) {
		return fmt.Errorf("rank 2 is alive: %w", err)
	}
	return nil
}

// dead requires that an error is that of rank 2.
func dead(what string, err error) error {
	if !errors.Is(err, mpi.ErrProcFailed) || !strings.Contains(err.Error(), "rank 2 is gone") {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// tellRank2 tells that rank, which ends then.
func tellRank2(world *mpi.Comm) error { return mpi.SendValue(world, 1, 2, 0) }

// heard waits until all others have told rank 2.
func heard(world *mpi.Comm) (err error) {
	for other := range world.Size() {
		if other != 2 {
			_, _, failed := mpi.RecvValue[int](world, other, 0)
			err = errors.Join(err, failed)
		}
	}
	return err
}

// others has rank 2 do one thing, and the rest another one, with a window. These meet before they leave, and free it.
func others(rank2, rest func(world *mpi.Comm, w *mpi.Win[int64]) error) func(world *mpi.Comm) error {
	return func(world *mpi.Comm) error {
		w, err := mpi.WinAllocate[int64](world, 2)
		if err != nil {
			return err
		}
		if world.Rank() == 2 {
			return errors.Join(rank2(world, w), die())
		}
		if err := rest(world, w); err != nil {
			return err
		}
		if _, err = world.Agree(1); err != nil && !errors.Is(err, mpi.ErrProcFailed) {
			return err
		}
		// Of rank 2, or of one that has been told of that first, and has left.
		if err := w.Free(); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("Free: %w", err)
		}
		return nil
	}
}

func init() {
	programs["killed with a lock"] = others(func(world *mpi.Comm, w *mpi.Win[int64]) error {
		err := errors.Join(w.Lock(mpi.LockExclusive, 0), w.Lock(mpi.LockShared, 1))
		for _, other := range []int{0, 1, 3} {
			err = errors.Join(err, mpi.SendValue(world, 1, other, 0))
		}
		return errors.Join(err, heard(world))
	}, func(world *mpi.Comm, w *mpi.Win[int64]) error {
		_, _, err := mpi.RecvValue[int](world, 2, 0)
		err = errors.Join(err, tellRank2(world)) // and it is killed soon
		for _, target := range []int{0, 1} {
			err = errors.Join(err, count(w, mpi.LockExclusive, target))
		}
		return errors.Join(err, dead("Lock", w.Lock(mpi.LockShared, 2)), gone(world))
	})
	programs["killed as it waits for a lock"] = others(func(world *mpi.Comm, w *mpi.Win[int64]) error {
		if err := heard(world); err != nil {
			return err
		}
		go func() { _ = w.Lock(mpi.LockExclusive, 0) }() // rank 3 has it
		return nil
	}, func(world *mpi.Comm, w *mpi.Win[int64]) error {
		if world.Rank() == 3 {
			err := errors.Join(w.Lock(mpi.LockShared, 0), tellRank2(world), gone(world), w.Unlock(0))
			if err != nil {
				return err
			}
		} else if err := errors.Join(tellRank2(world), gone(world)); err != nil {
			return err
		}
		return count(w, mpi.LockExclusive, 0)
	})
	programs["killed before a post"] = others(func(world *mpi.Comm, w *mpi.Win[int64]) error {
		return heard(world)
	}, func(world *mpi.Comm, w *mpi.Win[int64]) error {
		all, err := world.Group().Include(2)
		return errors.Join(err, tellRank2(world), w.Start(all), dead("Complete", w.Complete()))
	})
	programs["killed in an epoch"] = others(func(world *mpi.Comm, w *mpi.Win[int64]) error {
		rest, err := world.Group().Exclude(2)
		return errors.Join(err, w.Start(rest), w.Put([]int64{1}, 0, 0), heard(world))
	}, func(world *mpi.Comm, w *mpi.Win[int64]) error {
		origin, err := world.Group().Include(2)
		return errors.Join(err, w.Post(origin), tellRank2(world), dead("Wait", w.Wait()))
	})
	programs["killed before a fence"] = others(func(world *mpi.Comm, w *mpi.Win[int64]) error {
		return errors.Join(w.Fence(), heard(world))
	}, func(world *mpi.Comm, w *mpi.Win[int64]) error {
		return errors.Join(w.Fence(), tellRank2(world), dead("Fence", w.Fence()))
	})
}
