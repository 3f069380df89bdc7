package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

type pair struct {
	Left  int
	Right struct{ Name string }
}

// A wrongArgument is a call with a wrong argument, and what its error says.
type wrongArgument struct {
	class mpi.Class
	text  string
	call  func(c *mpi.Comm) error
}

// wrongArguments returns the calls of one rank, with buffers of its own. The
// world has four ranks.
func wrongArguments() []wrongArgument {
	three, one := make([]int, 3), make([]int, 1)
	twelve := make([]int, 12)
	layout := func(counts []int, displs []int) mpi.Layout { return mpi.Layout{Counts: counts, Displs: displs} }
	ones := []int{1, 1, 1, 1}
	return []wrongArgument{
		{mpi.ErrRank, "mpi.Send: invalid rank: dest 99 is not in a communicator of 4 ranks",
			func(c *mpi.Comm) error { return mpi.Send(c, one, 99, 0) }},
		{mpi.ErrRank, "mpi.Ssend: invalid rank: dest -3 is not in a communicator of 4 ranks",
			func(c *mpi.Comm) error { return mpi.Ssend(c, one, -3, 0) }},
		{mpi.ErrRank, "mpi.Isend: invalid rank: dest is AnySource, which is for receives only",
			func(c *mpi.Comm) error { _, err := mpi.Isend(c, one, mpi.AnySource, 0); return err }},
		{mpi.ErrTag, "mpi.Bsend: invalid tag: tag -5 is not between 0 and 2147483647",
			func(c *mpi.Comm) error { return mpi.Bsend(c, one, 0, -5) }},
		{mpi.ErrTag, "mpi.Send: invalid tag: tag 2147483648 is not between 0 and 2147483647",
			func(c *mpi.Comm) error { return mpi.Send(c, one, 0, mpi.MaxTag+1) }},
		{mpi.ErrTag, "mpi.Send: invalid tag: the tag of a send is AnyTag, which is for receives only",
			func(c *mpi.Comm) error { return mpi.Send(c, one, mpi.ProcNull, mpi.AnyTag) }},
		{mpi.ErrType, "mpi.Send: element types differ or cannot be sent: type *int cannot be sent: it is a pointer; only fixed-size types without pointers can; SendObject, BcastObject, GatherObjects and the like take any value",
			func(c *mpi.Comm) error { return mpi.Send(c, []*int{nil}, 0, 0) }},
		{mpi.ErrType, "mpi.Ibsend: element types differ or cannot be sent: type mpi_test.pair cannot be sent: Right.Name is a string; only fixed-size types without pointers can; SendObject, BcastObject, GatherObjects and the like take any value",
			func(c *mpi.Comm) error { _, err := mpi.Ibsend(c, []pair{}, 0, 0); return err }},
		{mpi.ErrRank, "mpi.Recv: invalid rank: source 4 is not in a communicator of 4 ranks",
			func(c *mpi.Comm) error { _, err := mpi.Recv(c, one, 4, 0); return err }},
		{mpi.ErrTag, "mpi.Irecv: invalid tag: tag -2 is neither AnyTag nor between 0 and 2147483647",
			func(c *mpi.Comm) error { _, err := mpi.Irecv(c, one, 0, -2); return err }},
		{mpi.ErrType, "type string cannot be sent: it is a string",
			func(c *mpi.Comm) error { _, err := mpi.Recv(c, []string{""}, 0, 0); return err }},
		{mpi.ErrType, "mpi.RecvSlice: ",
			func(c *mpi.Comm) error { _, _, err := mpi.RecvSlice[any](c, 0, 0); return err }},
		{mpi.ErrRank, "mpi.Sendrecv: invalid rank: source 7 is not",
			func(c *mpi.Comm) error { _, err := mpi.Sendrecv(c, one, 0, 0, three, 7, 0); return err }},
		{mpi.ErrBuffer, "mpi.Sendrecv: invalid buffer: the send and the receive buffer overlap",
			func(c *mpi.Comm) error {
				_, err := mpi.Sendrecv(c, twelve[:6], 0, 0, twelve[5:], 0, 0)
				return err
			}},
		{mpi.ErrRank, "mpi.Probe: ", func(c *mpi.Comm) error { _, err := c.Probe(4, 0); return err }},
		{mpi.ErrTag, "mpi.Iprobe: ", func(c *mpi.Comm) error { _, _, err := c.Iprobe(0, -7); return err }},
		{mpi.ErrRank, "mpi.Mprobe: ", func(c *mpi.Comm) error { _, _, err := c.Mprobe(-9, 0); return err }},
		{mpi.ErrRank, "mpi.Improbe: ", func(c *mpi.Comm) error { _, _, _, err := c.Improbe(-9, 0); return err }},
		{mpi.ErrRequest, "mpi.Mrecv: invalid request: the message is nil",
			func(*mpi.Comm) error { _, err := mpi.Mrecv(nil, one); return err }},
		{mpi.ErrRequest, "mpi.Imrecv: invalid request: the message is nil",
			func(*mpi.Comm) error { _, err := mpi.Imrecv(new(mpi.Message), one); return err }},
		{mpi.ErrComm, "mpi.Send: invalid communicator: the communicator is nil",
			func(*mpi.Comm) error { return mpi.Send(nil, one, 0, 0) }},
		{mpi.ErrComm, "mpi.Bcast: invalid communicator: the communicator is nil",
			func(*mpi.Comm) error { return mpi.Bcast(new(mpi.Comm), one, 0) }},
		{mpi.ErrComm, "mpi.Barrier: ", func(*mpi.Comm) error { return (*mpi.Comm)(nil).Barrier() }},
		{mpi.ErrComm, "mpi.Finalize: ", func(*mpi.Comm) error { return (*mpi.Comm)(nil).Finalize() }},
		{mpi.ErrComm, "mpi.Abort: ", func(*mpi.Comm) error { return (*mpi.Comm)(nil).Abort(1) }},
		{mpi.ErrArg, "mpi.Split: invalid argument: color -7 is neither Undefined nor 0 or more",
			func(c *mpi.Comm) error { _, err := c.Split(-7, 0); return err }},

		{mpi.ErrRoot, "mpi.Bcast: invalid root: root 4 is not in a communicator of 4 ranks",
			func(c *mpi.Comm) error { return mpi.Bcast(c, one, 4) }},
		{mpi.ErrRoot, "mpi.Reduce: invalid root: root -1 is not in a communicator of 4 ranks",
			func(c *mpi.Comm) error { return mpi.Reduce(c, one, one, mpi.Sum, -1) }},
		{mpi.ErrType, "mpi.Bcast: ", func(c *mpi.Comm) error { return mpi.Bcast(c, []func(){}, 0) }},
		{mpi.ErrType, "mpi.Allreduce: ", func(c *mpi.Comm) error { return mpi.Allreduce(c, []string{}, nil, nil) }},
		{mpi.ErrType, "mpi.Gather: ", func(c *mpi.Comm) error { return mpi.Gather(c, []string{""}, nil, 1) }},
		{mpi.ErrType, "mpi.Alltoall: ", func(c *mpi.Comm) error { return mpi.Alltoall(c, []string{""}, nil) }},
		{mpi.ErrOp, "mpi.Allreduce: invalid operation: the operation is nil",
			func(c *mpi.Comm) error { return mpi.Allreduce(c, one, one, nil) }},
		{mpi.ErrCount, "mpi.Allreduce: invalid count: the receive buffer has 1 element, the send buffer 3: they must have the same length",
			func(c *mpi.Comm) error { return mpi.Allreduce(c, three, one, mpi.Sum) }},
		{mpi.ErrCount, "mpi.Reduce: ", func(c *mpi.Comm) error { return mpi.Reduce(c, three, one, mpi.Sum, 1) }},
		{mpi.ErrBuffer, "mpi.Scan: invalid buffer: the send and the receive buffer overlap without being the same",
			func(c *mpi.Comm) error { return mpi.Scan(c, twelve[:4], twelve[1:5], mpi.Sum) }},
		{mpi.ErrCount, "mpi.Gather: invalid count: the receive buffer has 3 elements; 4 ranks with 3 each make 12",
			func(c *mpi.Comm) error { return mpi.Gather(c, three, three, 1) }},
		{mpi.ErrBuffer, "mpi.Gather: invalid buffer: the send and the receive buffer overlap, but not at this rank's own part",
			func(c *mpi.Comm) error { return mpi.Gather(c, twelve[:3], twelve, 1) }},
		{mpi.ErrCount, "mpi.Scatter: invalid count: the send buffer has 12 elements; 4 ranks with 1 each make 4",
			func(c *mpi.Comm) error { return mpi.Scatter(c, twelve, one, 1) }},
		{mpi.ErrCount, "mpi.Allgather: ", func(c *mpi.Comm) error { return mpi.Allgather(c, one, three) }},
		{mpi.ErrCount, "mpi.Alltoall: invalid count: the send buffer has 3 elements, which cannot be divided evenly among 4 ranks",
			func(c *mpi.Comm) error { return mpi.Alltoall(c, three, make([]int, 3)) }},
		{mpi.ErrCount, "mpi.Alltoall: ", func(c *mpi.Comm) error { return mpi.Alltoall(c, twelve, three) }},
		{mpi.ErrBuffer, "mpi.Alltoall: ", func(c *mpi.Comm) error { return mpi.Alltoall(c, twelve[:8], twelve[4:]) }},

		{mpi.ErrCount, "mpi.Gatherv: invalid count: the receive layout has 3 counts for 4 ranks",
			func(c *mpi.Comm) error { return mpi.Gatherv(c, one, twelve, layout(ones[:3], nil), 1) }},
		{mpi.ErrArg, "mpi.Gatherv: invalid argument: the receive layout has 1 displacement for 4 ranks",
			func(c *mpi.Comm) error { return mpi.Gatherv(c, one, twelve, layout(ones, []int{0}), 1) }},
		{mpi.ErrCount, "mpi.Scatterv: invalid count: the send count of rank 2 is -1",
			func(c *mpi.Comm) error { return mpi.Scatterv(c, twelve, layout([]int{1, 1, -1, 1}, nil), one, 1) }},
		{mpi.ErrArg, "mpi.Allgatherv: invalid argument: the receive part of rank 3, 1 element from 12 on, is not within the buffer of 12",
			func(c *mpi.Comm) error { return mpi.Allgatherv(c, one, twelve, layout(ones, []int{0, 1, 2, 12})) }},
		{mpi.ErrArg, "the receive part of rank 0, 1 element from -1 on, is not within",
			func(c *mpi.Comm) error { return mpi.Allgatherv(c, one, twelve, layout(ones, []int{-1, 1, 2, 3})) }},
		{mpi.ErrArg, "the receive part of rank 3, 10 elements from 3 on, is not within the buffer of 12",
			func(c *mpi.Comm) error { return mpi.Allgatherv(c, one, twelve, layout([]int{1, 1, 1, 10}, nil)) }},
		{mpi.ErrArg, "mpi.Gatherv: invalid argument: the receive parts of ranks 2 and 0 overlap: 3 elements from 1 on, 1 element from 3 on",
			func(c *mpi.Comm) error {
				return mpi.Gatherv(c, one, twelve, layout([]int{1, 1, 3, 0}, []int{3, 9, 1, 2}), 1)
			}},
		{mpi.ErrCount, "mpi.Gatherv: invalid count: the receive count of rank 1, this one, is 1, but its buffer has 3 elements",
			func(c *mpi.Comm) error { return mpi.Gatherv(c, three, twelve, layout(ones, nil), 1) }},
		{mpi.ErrCount, "mpi.Alltoallv: invalid count: this rank sends itself 1 element, but expects 2",
			func(c *mpi.Comm) error {
				return mpi.Alltoallv(c, make([]int, 4), layout(ones, nil), twelve, layout([]int{1, 2, 1, 1}, nil))
			}},
		{mpi.ErrArg, "mpi.Alltoallv: invalid argument: the receive parts of ranks 0 and 1 overlap",
			func(c *mpi.Comm) error {
				return mpi.Alltoallv(c, make([]int, 4), layout(ones, nil), twelve, layout([]int{2, 2, 1, 1}, []int{0, 1, 4, 5}))
			}},
		{mpi.ErrArg, "mpi.RunLocal: invalid argument: 0 ranks", func(*mpi.Comm) error { return mpi.RunLocal(0, nil) }},
	}
}

// Every wrong argument is an error of its class that names the operation and
// the value, and nothing else happens. The arguments are wrong on rank 1, or on
// all.
func TestWrongArguments(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		for _, test := range wrongArguments() {
			err := test.call(world)
			if world.Rank() != 1 {
				continue // its arguments may be right
			}
			var e *mpi.Error
			if assert.ErrorAs(t, err, &e, test.text) {
				assert.Equal(t, test.class, e.Class)
				assert.ErrorIs(t, err, test.class)
				assert.ErrorContains(t, err, test.text)
			}
		}
		require.NoError(t, world.Barrier(), "the communicator is as good as before")
	})
}

// After Finalize everything is ErrClosed.
func TestUseAfterFinalize(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		open := must(t)(mpi.Irecv(dup, make([]int, 1), dup.Rank(), 0))
		require.ErrorIs(t, dup.Finalize(), mpi.ErrComm)
		err = world.Finalize()
		require.ErrorIs(t, err, mpi.ErrPending)
		require.ErrorContains(t, err, "1 request not complete: receive from rank ")
		one := []int{1}
		_, recv := mpi.Recv(world, one, 0, 0)
		_, _, _, probe := world.Improbe(0, 0)
		_, split := world.Split(0, 0)
		_, receive := open.Wait(t.Context())
		require.ErrorIs(t, receive, mpi.ErrClosed)
		for _, err := range []error{
			recv, probe, split,
			mpi.Send(dup, one, 0, 0), mpi.Bcast(world, one, 0), mpi.Allgather(dup, one, []int{1, 2}),
			mpi.Gatherv(world, one, one, mpi.Layout{}, 0), mpi.Alltoallv(world, one, mpi.Layout{}, one, mpi.Layout{}),
			mpi.Allreduce(world, one, one, mpi.Sum), mpi.Alltoall(world, one, one),
			world.Barrier(), dup.Free(), world.Abort(1), world.Finalize(),
		} {
			require.ErrorIs(t, err, mpi.ErrClosed)
		}
	})
}
