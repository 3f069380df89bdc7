package mpi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi"
)

const (
	// sentVariable is where processes of a job find a file that they share.
	sentVariable = "MPI_TEST_SENT"
	// fewLooks is after how many looks in vain at something that has been sent a program that
	// loops over them gives up. It takes them a second or so. Where the loop has to wait until
	// Go's scheduler asks its network poller there are a hundred times as many.
	fewLooks = 1_000_000
)

// Tags of the program: rank 1 waits for one, loops over looks for the next, and one of its
// other goroutines waits for the third.
const (
	spinWake = iota
	spinLook
	spinOther
	spinReply
	spinTags
)

// spinLooks are the ways to look whether a message with tag spinLook has come.
var spinLooks = []struct {
	name  string
	start func(world *mpi.Comm) (look func() (bool, error), err error)
}{
	{"Test", byRequest(func(r *mpi.Request) (bool, error) {
		_, done, err := r.Test()
		return done, err
	})},
	{"Test and Gosched", byRequest(func(r *mpi.Request) (bool, error) {
		_, done, err := r.Test()
		runtime.Gosched()
		return done, err
	})},
	{"TestAll", byRequest(func(r *mpi.Request) (bool, error) {
		_, done, err := mpi.TestAll(r)
		return done, err
	})},
	{"TestAny", byRequest(func(r *mpi.Request) (bool, error) {
		_, _, done, err := mpi.TestAny(r)
		return done, err
	})},
	{"TestSome", byRequest(func(r *mpi.Request) (bool, error) {
		done, _, err := mpi.TestSome(r)
		return len(done) > 0, err
	})},
	{"Iprobe", func(world *mpi.Comm) (func() (bool, error), error) {
		return func() (bool, error) {
			_, found, err := world.Iprobe(0, spinLook)
			if found {
				_, err = mpi.Recv(world, make([]byte, 1), 0, spinLook)
			}
			return found, err
		}, nil
	}},
}

// byRequest looks at a receive.
func byRequest(look func(r *mpi.Request) (bool, error)) func(world *mpi.Comm) (func() (bool, error), error) {
	return func(world *mpi.Comm) (func() (bool, error), error) {
		r, err := mpi.Irecv(world, make([]byte, 1), 0, spinLook)
		return func() (bool, error) { return look(r) }, err
	}
}

func init() {
	programs["spin"] = func(world *mpi.Comm) error {
		sent, err := sharedCounter(os.Getenv(sentVariable))
		if err != nil {
			return err
		}
		other := 1 - world.Rank()
		for tag := range spinTags { // all connections are made
			if _, err := mpi.Sendrecv(world, []byte{1}, other, tag, make([]byte, 1), other, tag); err != nil {
				return err
			}
		}
		for i, l := range spinLooks {
			if world.Rank() == 0 {
				err = feed(world, sent)
			} else if err = spin(world, uint32(2*i), sent, l.start); err != nil {
				err = fmt.Errorf("%s: %w", l.name, err)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// feed sends what spin waits for. It counts in sent what has been handed to the kernel.
func feed(world *mpi.Comm, sent *atomic.Uint32) error {
	// By then all goroutines of rank 1 wait, and Go's scheduler has gone to sleep; else the test
	// shows nothing.
	pause := 300 * time.Millisecond
	for tag := spinWake; tag <= spinOther; tag++ {
		time.Sleep(pause)
		pause = time.Millisecond
		if err := mpi.Send(world, []byte{1}, 1, tag); err != nil {
			return err
		}
		if tag != spinWake {
			sent.Add(1)
		}
	}
	_, err := mpi.Recv(world, make([]byte, 1), 1, spinReply)
	return err
}

// spin waits for one message and then does nothing but look for another, while a goroutine
// waits for a third, which is the first to have begun to. It fails if what has been
// sent, which before were so many, is not found.
func spin(world *mpi.Comm, before uint32, sent *atomic.Uint32, start func(world *mpi.Comm) (func() (bool, error), error)) error {
	var came atomic.Bool
	waited := make(chan error, 1)
	go func() {
		_, err := mpi.Recv(world, make([]byte, 1), 0, spinOther)
		came.Store(true)
		waited <- err
	}()
	runtime.Gosched()
	if _, err := mpi.Recv(world, make([]byte, 1), 0, spinWake); err != nil {
		return err
	}
	look, err := start(world)
	if err != nil {
		return err
	}
	if err := lookUntil(look, sent, before+1); err != nil {
		return fmt.Errorf("its own message: %w", err)
	}
	never, err := mpi.Irecv(world, make([]byte, 1), 0, spinReply)
	if err != nil {
		return err
	}
	err = lookUntil(func() (bool, error) {
		_, _, err := never.Test()
		return came.Load(), err
	}, sent, before+2)
	if err != nil {
		return fmt.Errorf("a message for another goroutine: %w", err)
	}
	if err := never.Cancel(); err != nil {
		return err
	}
	if err := mpi.Send(world, []byte{1}, 0, spinReply); err != nil {
		return err
	}
	return <-waited
}

// lookUntil looks again and again until look is true, and for long once so many messages
// have been sent.
func lookUntil(look func() (bool, error), sent *atomic.Uint32, messages uint32) error {
	for vain := 0; vain < fewLooks; {
		if done, err := look(); done || err != nil {
			return err
		}
		if sent.Load() >= messages {
			vain++
		}
	}
	return fmt.Errorf("it has been sent, and %d looks have not found it", fewLooks)
}

// sharedCounter maps a file that holds a counter.
func sharedCounter(name string) (*atomic.Uint32, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page, err := unix.Mmap(int(f.Fd()), 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return (*atomic.Uint32)(unsafe.Pointer(&page[0])), nil
}

// A program may do nothing but look whether a message has come, on the only processor that Go
// has, while one of its goroutines waits for another: both come.
func TestALoopOverLooksNeedsNoOtherProcessor(t *testing.T) {
	modes := []string{"hybrid", "event", "inline"}
	for i, c := range carriers {
		if c.impaired { // what has been sent need not arrive
			continue
		}
		c.run(t, func(t *testing.T, transport string) {
			for m, mode := range modes {
				if m != i%len(modes) && !long() { // each carrier has one of them
					continue
				}
				t.Run(mode, func(t *testing.T) {
					t.Parallel()
					name := filepath.Join(t.TempDir(), "sent")
					require.NoError(t, os.WriteFile(name, make([]byte, os.Getpagesize()), 0o600))
					ranks, aborts := launch(t, "spin", 2, "GOMAXPROCS=1", "SCTPMPI_TRANSPORT="+transport,
						"SCTPMPI_PROGRESS="+mode, sentVariable+"="+name)
					require.Empty(t, aborts)
					for _, r := range ranks {
						require.False(t, r.failed, r.stderr)
					}
				})
			}
		})
	}
}
