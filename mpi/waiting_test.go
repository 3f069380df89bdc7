package mpi_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// hung runs fn as n ranks that will never end by themselves, until what they say of themselves is
// as wanted: one text for each rank, of which what it says must have all lines.
func hung(t *testing.T, fn func(world *mpi.Comm) error, want ...string) {
	t.Helper()
	for _, transport := range []string{"sctp-engine", "sctp-pertrc", "tcp-perpair", "tcp-pertrc"} {
		t.Run(transport, func(t *testing.T) {
			n := len(want)
			ranks := make([]*mpi.Comm, n)
			var all, ended sync.WaitGroup
			all.Add(n)
			ended.Go(func() {
				_ = mpi.RunLocal(n, func(world *mpi.Comm) error {
					ranks[world.Rank()] = world
					all.Done()
					return fn(world)
				}, mpi.WithTransport(transport))
			})
			all.Wait()
			defer func() {
				for _, world := range ranks {
					world.Kill()
				}
				ended.Wait()
			}()
			for i, world := range ranks {
				requireSays(t, world, want[i])
			}
		})
	}
}

// varying is what differs from run to run: for how long a call has waited, and the numbers of the lines.
var varying = regexp.MustCompile(` \d+ s\b| less than 1 s\b|:\d+\b`)

// requireSays requires that a rank comes to say what is wanted, and no more unless that ends
// with "...".
func requireSays(t *testing.T, world *mpi.Comm, want string) {
	t.Helper()
	var line string
	begin, more := strings.CutSuffix(want, "...")
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if line = varying.ReplaceAllString(world.Says(), ""); line == want || more && strings.HasPrefix(line, begin) {
			return
		}
	}
	require.Equal(t, want, line)
}

func TestSynchronousSendsThatWaitForEachOther(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		return mpi.Ssend(world, []int{1}, 1-world.Rank(), 7)
	},
		"rank 0 waits in Ssend to 1, tag 7, at waiting_test.go; unexpected: tag 7 from 1",
		"rank 1 waits in Ssend to 0, tag 7, at waiting_test.go; unexpected: tag 7 from 0")
}

func TestAReceiveOfAnotherTagThanWasSent(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			if err := mpi.Send(world, []int{1}, 0, 3); err != nil {
				return err
			}
		}
		_, err := mpi.Recv(world, make([]int, 1), mpi.AnySource, 4)
		return err
	},
		"rank 0 waits in Recv from any rank, tag 4, at waiting_test.go; unexpected: tag 3 from 1",
		"rank 1 waits in Recv from any rank, tag 4, at waiting_test.go")
}

func TestACollectiveThatOneRankDoesNotCall(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			_, err := world.Probe(0, mpi.AnyTag)
			return err
		}
		if err := mpi.Bcast(world, make([]int, 1), 0); err != nil {
			return err
		}
		return mpi.Reduce(world, []int{1}, make([]int, 1), mpi.Sum, 0)
	},
		"rank 0 waits in Reduce (call 2) for rank 1, at waiting_test.go",
		"rank 1 waits in Probe from 0, any tag, at waiting_test.go; unexpected: collective call 1 from 0")
}

func TestAPersistentCollectiveThatOneRankDoesNotStart(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		r, err := world.BarrierInit()
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			_, err := world.Probe(0, mpi.AnyTag)
			return err
		}
		if err := r.Start(); err != nil {
			return err
		}
		_, err = r.Wait(context.Background())
		return err
	},
		"rank 0 waits in Wait (run 1 of a persistent operation) for rank 1, at waiting_test.go",
		"rank 1 waits in Probe from 0, any tag, at waiting_test.go; unexpected: collective run 1 of a persistent operation from 0")
}

func TestAPartitionThatIsNotReady(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			if _, err := mpi.PsendInit(world, make([]int, 1), 1, 0, 7); err != nil {
				return err
			}
			_, err := world.Probe(0, mpi.AnyTag)
			return err
		}
		r, err := mpi.PrecvInit(world, make([]int, 1), 1, 1, 7)
		if err != nil {
			return err
		}
		if err := r.Start(); err != nil {
			return err
		}
		_, err = r.Wait(context.Background())
		return err
	},
		"rank 0 waits in Wait for a partition from 1, at waiting_test.go",
		"rank 1 waits in Probe from 0, any tag, at waiting_test.go")
}

// What is waited for in a window is another rank: for its lock, its Post or its Complete, and for the room or the end of
// operations.
func TestSynchronizationsOfAWindow(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		w, err := mpi.WinAllocate[int](world, 1)
		if err != nil {
			return err
		}
		switch world.Rank() {
		case 0:
			if err := w.Lock(mpi.LockExclusive, 2); err != nil {
				return err
			}
			for _, next := range []int{1, 4} {
				if err := mpi.Send(world, []int{1}, next, 0); err != nil {
					return err
				}
			}
			_, err := world.Probe(1, 0)
			return err
		case 1:
			if _, err := mpi.Recv(world, make([]int, 1), 0, 0); err != nil {
				return err
			}
			return w.Lock(mpi.LockShared, 2)
		case 2:
			return w.Start(group(t, world, 0))
		case 4:
			if _, err := mpi.Recv(world, make([]int, 1), 0, 0); err != nil {
				return err
			}
			return w.LockAll()
		}
		if err := w.Post(group(t, world, 1)); err != nil {
			return err
		}
		return w.Wait()
	},
		"rank 0 waits in Probe from 1, tag 0, at waiting_test.go",
		"rank 1 waits in Lock for rank 2, on window 0.1 of 5 ranks made at waiting_test.go, at waiting_test.go",
		"rank 2 waits in Start for rank 0, on window 0.1 of 5 ranks made at waiting_test.go, at waiting_test.go",
		"rank 3 waits in Wait for rank 1, on window 0.1 of 5 ranks made at waiting_test.go, at waiting_test.go",
		"rank 4 waits in LockAll for rank 2, on window 0.1 of 5 ranks made at waiting_test.go, at waiting_test.go")
}

func TestRequestsOnAnotherCommunicator(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		half, err := world.Split(world.Rank()/2, -world.Rank())
		if err != nil {
			return err
		}
		var requests []*mpi.Request
		for tag := range 2 {
			r, err := mpi.Irecv(half, make([]int, 1), 0, tag)
			if err != nil {
				return err
			}
			requests = append(requests, r)
		}
		if world.Rank() == 0 {
			_, _, err = mpi.WaitAny(context.Background(), requests...)
		} else {
			_, err = mpi.WaitAll(context.Background(), requests...)
		}
		return err
	},
		"rank 0 waits in WaitAny for one of 2 operations, such as a receive from 0 (1 of the job), tag 0, on communicator 1.1 of 2 ranks made at waiting_test.go, at waiting_test.go",
		"rank 1 waits in WaitAll for a receive from 0 (1 of the job), tag 0, on communicator 1.1 of 2 ranks made at waiting_test.go, at waiting_test.go; "+
			"not waited for: a receive from 0 (1 of the job), tag 1, on communicator 1.1 of 2 ranks made at waiting_test.go",
		"rank 2 waits in WaitAll for a receive from 0 (3 of the job), tag 0, on communicator 3.1 of 2 ranks made at waiting_test.go, at waiting_test.go; "+
			"not waited for: a receive from 0 (3 of the job), tag 1, on communicator 3.1 of 2 ranks made at waiting_test.go",
		"rank 3 waits in WaitAll for a receive from 0 (3 of the job), tag 0, on communicator 3.1 of 2 ranks made at waiting_test.go, at waiting_test.go; "+
			"not waited for: a receive from 0 (3 of the job), tag 1, on communicator 3.1 of 2 ranks made at waiting_test.go")
}

func TestARankThatFinalizesWhileAnotherReceives(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return world.Finalize()
		}
		_, _, err := mpi.RecvSlice[byte](world, 0, 0)
		return err
	},
		"rank 0 waits in Finalize for rank 1, at waiting_test.go",
		"rank 1 waits in RecvSlice from 0, tag 0, at waiting_test.go...")
}

func TestSeveralGoroutinesAreToldApart(t *testing.T) {
	hung(t, func(world *mpi.Comm) error {
		var both sync.WaitGroup
		both.Go(func() { _, _ = mpi.Recv(world, make([]int, 1), 0, 1) })
		for !world.Blocks() { // the call that has been blocked longest is told first
			runtime.Gosched()
		}
		both.Go(func() { _, _ = mpi.Recv(world, make([]int, 1), 0, 2) })
		both.Wait()
		return nil
	}, "rank 0 waits in Recv from 0, tag 1, at waiting_test.go; and in Recv from 0, tag 2, at waiting_test.go")
}

func TestTheLineOfTheCallIsNamed(t *testing.T) {
	line, done := make(chan int, 1), make(chan struct{})
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		go func() {
			defer close(done)
			want := fmt.Sprintf("at waiting_test.go:%d", <-line+2)
			for !strings.HasSuffix(world.Says(), want) {
				runtime.Gosched()
			}
			_ = mpi.Send(world, []int{1}, 0, 0)
		}()
		_, _, here, _ := runtime.Caller(0)
		line <- here
		_, err := mpi.Recv(world, make([]int, 1), 0, 0)
		<-done
		return err
	}))
}
