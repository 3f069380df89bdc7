package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The memory of WinAllocate is shared by ranks that share memory for messages: an origin needs nothing of a target, which here calls nothing,
// in the mode in which it would have to.
func TestAWindowThatIsSharedNeedsNoTarget(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		if !strings.HasSuffix(t.Name(), "-shm") {
			return
		}
		done := make(chan struct{})
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			w := window(t, world, 20_000)
			if world.Rank() == 0 {
				require.NoError(t, w.LockAll())
				require.NoError(t, world.Barrier())
				for _, length := range windowLengths {
					buf := make([]int64, length)
					require.NoError(t, w.Put(buf, 1, 0))
					require.NoError(t, w.Accumulate(buf, mpi.Sum, 1, 0))
					require.NoError(t, w.Get(buf, 1, 0))
					require.NoError(t, w.Flush(1))
				}
				was := int64(-1)
				require.NoError(t, w.FetchAndOp(5, &was, mpi.Sum, 1, 0))
				require.NoError(t, w.Flush(1))
				require.Zero(t, was)
				close(done)
				require.NoError(t, w.UnlockAll())
			} else {
				require.NoError(t, world.Barrier())
				<-done
			}
			require.NoError(t, w.Fence())
			require.EqualValues(t, 5*world.Rank(), w.Memory()[0])
			return w.Free()
		}, append(options, mpi.WithProgress("inline"))...))
	})
}

// Updates are atomic among processes: of those that share the memory, and of others, which send messages to its rank.
func TestProcessesCountTogether(t *testing.T) {
	for _, shm := range []string{"auto", "half", "off"} {
		t.Run(shm, func(t *testing.T) {
			launched, _ := launch(t, "count together", 4, "SCTPMPI_SHM="+shm)
			requireOnly(t, launched)
		})
	}
}

// timesOfProcesses is how often processes do something to each other's memory: often where all share it, and less often where it takes
// messages, each of which is dear under the race detector, except in long tests.
func timesOfProcesses(shared, messages int) int {
	if os.Getenv(rpi.EnvSharedMemory) == "auto" || long() {
		return shared
	}
	return messages
}

func init() {
	programs["count together"] = func(world *mpi.Comm) error {
		each := timesOfProcesses(500, 120)
		w, err := mpi.WinAllocate[int64](world, 2)
		if err != nil {
			return err
		}
		err = w.LockAll()
		for i := range each * world.Size() {
			was, target := int64(0), i%world.Size()
			err = errors.Join(err, w.FetchAndOp(1, &was, mpi.Sum, target, 0), w.Accumulate([]int64{1}, mpi.Sum, target, 1), w.Flush(target))
		}
		if err = errors.Join(err, w.UnlockAll(), world.Barrier(), w.Sync()); err != nil {
			return err
		}
		for _, n := range w.Memory() {
			if n != int64(each*world.Size()) {
				return fmt.Errorf("%d updates of %d ranks, each %d: %v", each*world.Size(), world.Size(), each, w.Memory())
			}
		}
		return w.Free()
	}
}

// A process that is killed amid an update leaves the memory to the others.
func TestAProcessThatIsKilledAmidAnUpdate(t *testing.T) {
	for range 5 {
		launched, _ := launch(t, "killed amid an update", 3, "SCTPMPI_SHM=auto")
		requireOnly(t, launched[:2])
	}
}

func init() {
	programs["killed amid an update"] = func(world *mpi.Comm) error {
		w, err := mpi.WinAllocate[int64](world, 2000)
		if err != nil {
			return err
		}
		if err := w.LockAll(); err != nil {
			return err
		}
		if world.Rank() == 2 {
			for other := range 2 { // which have all locks then, and need nothing of this rank any more
				if _, _, err := mpi.RecvValue[int](world, other, 0); err != nil {
					return err
				}
			}
			var updates atomic.Int64
			go func() {
				for updates.Load() < 100 { // and then anywhere amid what follows
					runtime.Gosched()
				}
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}()
			for ; ; updates.Add(1) {
				if err := w.Accumulate(make([]int64, 2000), mpi.Sum, 0, 0); err != nil {
					return err
				}
			}
		}
		if err := mpi.SendValue(world, 1, 2, 0); err != nil {
			return err
		}
		if _, _, err := mpi.RecvValue[int](world, 2, 0); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("rank 2 is alive: %w", err)
		}
		was := int64(0)
		err = errors.Join(w.FetchAndOp(1, &was, mpi.Sum, 0, 0), w.Flush(0), mpi.SendValue(world, 1, 1-world.Rank(), 0))
		if _, _, met := mpi.RecvValue[int](world, 1-world.Rank(), 0); err != nil || met != nil { // neither ends before the other has done this
			return errors.Join(err, met)
		}
		if err := w.UnlockAll(); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("UnlockAll: %w", err)
		}
		if err := w.Free(); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("Free: %w", err)
		}
		return nil
	}
}
