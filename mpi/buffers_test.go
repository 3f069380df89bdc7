package mpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// SCTPMPI_CHECK=buffers finds buffers that the program changes while an operation is under way (MPI 4.1, section 3.7.2). On rank 0 start
// starts an operation and change does what the program must not; rank 1 does other.
var changedBuffers = map[string]struct {
	start  func(world *mpi.Comm, buf []byte) (*mpi.Request, error)
	change func(r *mpi.Request, buf []byte) error // nil: of byte 17, to 3
	other  func(world *mpi.Comm) error
	want   string
}{
	"a send": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) { return mpi.Isend(world, buf, 1, 5) },
		other: receives(40),
		want: `^mpi\.Isend: invalid buffer: send to rank 1 with tag 5, started by Isend at buffers_test\.go:\d+: the program changed the buffer ` +
			`before the operation had completed: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a synchronous send": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) { return mpi.Issend(world, buf, 1, 5) },
		other: receives(40),
		want:  `started by Issend at .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a persistent send": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return started(mpi.SendInit(world, buf, 1, 5))
		},
		other: receives(40),
		want:  `^mpi\.SendInit: invalid buffer: send to rank 1 with tag 5, started by Start at .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a receive": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) { return mpi.Irecv(world, buf, 1, 5) },
		other: sends(40),
		want:  `^mpi\.Irecv: invalid buffer: receive from rank 1 with tag 5, started by Irecv at .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a receive on another communicator": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			c, err := world.Dup()
			if err != nil {
				return nil, err
			}
			return mpi.Irecv(c, buf, mpi.AnySource, mpi.AnyTag)
		},
		other: func(world *mpi.Comm) error {
			c, err := world.Dup()
			if err != nil {
				return err
			}
			return mpi.Send(c, make([]byte, 40), 0, 5)
		},
		want: `^mpi\.Irecv: invalid buffer: receive from any rank with any tag, on communicator 0\.\d+ of 2 ranks made at .*, started by Irecv at .*: byte 17 `,
	},
	"a send of what is not one piece": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return mpi.IsendData(world, mpi.Strided(buf, 4, 2, 10), 1, 5)
		},
		change: func(_ *mpi.Request, buf []byte) error {
			buf[15], buf[21] = 3, 3 // the first is in a gap
			return nil
		},
		other: receives(8),
		want:  `^mpi\.IsendData: invalid buffer: send to rank 1 with tag 5, started by IsendData at .*: byte 5 of 8 was 0x00 and is 0x03$`,
	},
	"a receive into what is not one piece": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return mpi.IrecvData(world, mpi.Strided(buf, 4, 2, 10), 1, 5)
		},
		change: func(_ *mpi.Request, buf []byte) error {
			buf[15], buf[21] = 3, 3
			return nil
		},
		other: sends(8),
		want:  `^mpi\.IrecvData: invalid buffer: receive from rank 1 with tag 5, started by IrecvData at .*: byte 5 of 8 was 0x00 and is 0x03$`,
	},
	"a partition that is received": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return started(mpi.PrecvInit(world, buf, 4, 1, 5))
		},
		change: func(r *mpi.Request, buf []byte) error {
			for arrived := false; !arrived; { // the last: then all partitions have been started
				var err error
				if arrived, err = r.Parrived(3); err != nil {
					return err
				}
			}
			buf[17] = 3
			return nil
		},
		other: func(world *mpi.Comm) error {
			r, err := started(mpi.PsendInit(world, make([]byte, 40), 4, 0, 5))
			if err == nil {
				err = r.PreadyRange(0, 3)
			}
			return ends(r, err)
		},
		want: `^mpi\.PrecvInit: invalid buffer: receive from rank 1 with tag 5.*: byte 7 of 10 of partition 1 was 0x00 and is 0x03$`,
	},
	"a send and receive": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return mpi.Isendrecv(world, buf, 1, 5, make([]byte, 1), 1, 6)
		},
		other: func(world *mpi.Comm) error {
			_, err := mpi.Sendrecv(world, make([]byte, 1), 0, 6, make([]byte, 40), 0, 5)
			return err
		},
		want: `^mpi\.Isendrecv: invalid buffer: send to rank 1 with tag 5, started by Isendrecv at .*: byte 17 of 40 `,
	},
	"a partition that is sent": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return started(mpi.PsendInit(world, buf, 4, 1, 5))
		},
		change: func(r *mpi.Request, buf []byte) error {
			buf[7] = 3 // of partition 0, which is not ready
			if err := r.PreadyRange(0, 3); err != nil {
				return err
			}
			buf[17] = 3
			return nil
		},
		other: partitions,
		want:  `^mpi\.PsendInit: invalid buffer: send to rank 1 with tag 5, started by PreadyRange at .*: byte 7 of 10 of partition 1 was 0x00 and is 0x03$`,
	},
	"a nonblocking collective operation": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return mpi.Iallreduce(world, buf, make([]byte, 40), mpi.Max)
		},
		other: func(world *mpi.Comm) error { return mpi.Allreduce(world, make([]byte, 40), make([]byte, 40), mpi.Max) },
		want:  `^mpi\.Iallreduce: invalid buffer: collective operation, started by Iallreduce at .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a nonblocking broadcast": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) { return mpi.Ibcast(world, buf, 0) },
		other: func(world *mpi.Comm) error { return mpi.Bcast(world, make([]byte, 40), 0) },
		want:  `^mpi\.Ibcast: invalid buffer: collective operation, started by Ibcast at .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a persistent collective operation": {
		start: func(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
			return startAllreduce(world, buf, make([]byte, 40))
		},
		other: func(world *mpi.Comm) error { return ends(startAllreduce(world, make([]byte, 40), make([]byte, 40))) },
		want:  `^mpi\.AllreduceInit: invalid buffer: collective operation, started by Start at buffers_test\.go:\d+: .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
	"a persistent broadcast": {
		start: startBcast,
		other: func(world *mpi.Comm) error { return ends(startBcast(world, make([]byte, 40))) },
		want:  `^mpi\.BcastInit: invalid buffer: collective operation, started by Start at .*: byte 17 of 40 was 0x00 and is 0x03$`,
	},
}

func startAllreduce(world *mpi.Comm, send, recv []byte) (*mpi.Request, error) {
	return started(mpi.AllreduceInit(world, send, recv, mpi.Max))
}

func startBcast(world *mpi.Comm, buf []byte) (*mpi.Request, error) {
	return started(mpi.BcastInit(world, buf, 0))
}

// started starts the persistent request r.
func started(r *mpi.Request, err error) (*mpi.Request, error) {
	if err == nil {
		err = r.Start()
	}
	return r, err
}

// ends ends the persistent request r, which has been started.
func ends(r *mpi.Request, err error) error {
	if err == nil {
		_, err = r.Wait(context.Background())
	}
	if err == nil {
		err = r.Free()
	}
	return err
}

func receives(length int) func(world *mpi.Comm) error {
	return func(world *mpi.Comm) error {
		_, err := mpi.Recv(world, make([]byte, length), 0, 5)
		return err
	}
}

func sends(length int) func(world *mpi.Comm) error {
	return func(world *mpi.Comm) error { return mpi.Send(world, make([]byte, length), 0, 5) }
}

func partitions(world *mpi.Comm) error {
	return ends(started(mpi.PrecvInit(world, make([]byte, 40), 2, 0, 5)))
}

func TestChangedBuffersAreFound(t *testing.T) {
	t.Setenv(rpi.EnvCheck, "types,buffers")
	for name, c := range changedBuffers {
		t.Run(name, func(t *testing.T) {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				if world.Rank() == 1 {
					require.NoError(t, c.other(world))
					return
				}
				buf := make([]byte, 40)
				r := must(t)(c.start(world, buf))
				if c.change == nil {
					buf[17] = 3
				} else {
					require.NoError(t, c.change(r, buf))
				}
				_, err := r.Wait(context.Background())
				require.ErrorIs(t, err, mpi.ErrBuffer)
				assert.Regexp(t, c.want, err.Error())
			})
		})
	}
}

// What a program may do is no error: to change a buffer between operations, and other parts of its memory.
func TestProgramsThatLeaveTheirBuffersAlone(t *testing.T) {
	t.Setenv(rpi.EnvCheck, "buffers")
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		for round := range 3 {
			for _, length := range []int{1, 100, 3 << 20} {
				memory := make([]byte, length+1)
				if buf := memory[:length]; world.Rank() == 0 {
					buf[length-1] = byte(round)
					r := must(t)(mpi.Isend(world, buf, 1, 5))
					memory[length]++
					wait(t, r)
					buf[0]++
				} else {
					r := must(t)(mpi.Irecv(world, buf, 0, 5))
					memory[length]++
					wait(t, r)
					require.Equal(t, byte(round), buf[length-1])
				}
			}
		}
	})
}

// Each run of a persistent request is looked at by itself: between its runs the program may change its buffer, and what is sent is
// what the buffer has when the run starts. A run with a mistake does not spoil the next.
func TestEachRunOfAPersistentRequestIsChecked(t *testing.T) {
	t.Setenv(rpi.EnvCheck, "buffers")
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		send, recv, all, from := make([]int, 9), make([]int, 9), make([]int, 9), make([]int, 9)
		requests := []*mpi.Request{
			must(t)(mpi.SendInit(world, send, 1-world.Rank(), 5)),
			must(t)(mpi.RecvInit(world, recv, 1-world.Rank(), 5)),
			must(t)(mpi.AllreduceInit(world, send, all, mpi.Sum)),
			must(t)(mpi.BcastInit(world, from, 1)),
		}
		for round := 1; round <= 4; round++ {
			wrong := round == 2 && world.Rank() == 1
			send[8], recv[0] = round, 7
			if world.Rank() == 1 {
				from[8] = round
			}
			require.NoError(t, mpi.StartAll(requests...))
			if wrong {
				send[8], from[8] = 0, 0
			}
			for i, r := range requests {
				_, err := r.Wait(context.Background())
				if wrong && i != 1 {
					require.ErrorIs(t, err, mpi.ErrBuffer)
				} else {
					require.NoError(t, err)
				}
			}
			require.Equal(t, round, recv[8])
			require.Zero(t, recv[0])
			require.Equal(t, 2*round, all[8])
			require.True(t, wrong || from[8] == round)
		}
		for _, r := range requests {
			require.NoError(t, r.Free())
		}
	})
}

// A message shorter than the buffer leaves what is behind it as it is.
func TestShortMessagesInCheckedBuffers(t *testing.T) {
	t.Setenv(rpi.EnvCheck, "buffers")
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send(world, []int{1, 2}, 1, 5))
			return
		}
		buf := []int{7, 8, 9}
		status := wait(t, must(t)(mpi.Irecv(world, buf, 0, 5)))
		require.Equal(t, 2, status.Count)
		require.Equal(t, []int{1, 2, 9}, buf)
	})
}
