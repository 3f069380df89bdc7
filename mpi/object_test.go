package mpi_test

import (
	"encoding/gob"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// shape is an interface; circle, which is registered with gob, has it.
type shape interface{ Area() int }

type circle struct{ Radius int }

func (c circle) Area() int { return 3 * c.Radius * c.Radius }

func init() { gob.Register(circle{}) }

// report is what no slice of fixed-size elements can be.
type report struct {
	Name   string
	Counts map[string]int
	Parts  []report
	Main   shape
}

func reportOf(rank int) report {
	return report{
		Name: fmt.Sprint("rank ", rank), Counts: map[string]int{"a": rank, "b": 2},
		Parts: make([]report, rank), Main: circle{rank + 1},
	}
}

// Any value that the codec takes gets where a slice would get.
func TestObjects(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		ranks(t, size, func(t *testing.T, world *mpi.Comm) {
			me, root := world.Rank(), size-1
			var all []report
			for rank := range size {
				all = append(all, reportOf(rank))
			}
			if me > 0 {
				require.NoError(t, mpi.SendObject(world, all[me], 0, me))
			} else {
				for rank := 1; rank < size; rank++ {
					got, status, err := mpi.RecvObject[report](world, rank, mpi.AnyTag)
					require.NoError(t, err)
					requireEqual(t, all[rank], got)
					require.Equal(t, rank, status.Tag)
				}
			}
			one, err := mpi.BcastObject(world, all[me], root)
			require.NoError(t, err)
			requireEqual(t, all[root], one)
			got, err := mpi.GatherObjects(world, all[me], root)
			require.NoError(t, err)
			if me == root {
				requireEqual(t, all, got)
			} else {
				require.Nil(t, got)
			}
			got, err = mpi.AllgatherObjects(world, all[me])
			require.NoError(t, err)
			requireEqual(t, all, got)
			one, err = mpi.ScatterObjects(world, all, root)
			require.NoError(t, err)
			requireEqual(t, all[me], one)
			texts := make([]string, size)
			for rank := range texts {
				texts[rank] = fmt.Sprintf("from %d to %d", me, rank)
			}
			texts, err = mpi.AlltoallObjects(world, texts)
			require.NoError(t, err)
			for rank, text := range texts {
				require.Equal(t, fmt.Sprintf("from %d to %d", rank, me), text)
			}
		}, mpi.WithEagerLimit(eagerLimit))
	}
}

// requireEqual takes slices and maps without elements for none, as gob does.
func requireEqual(t *testing.T, want, got any) {
	t.Helper()
	text := func(v any) string { return fmt.Sprintf("%+v", v) }
	require.Equal(t, text(want), text(got))
}

// The static type counts: an interface is sent as one.
func TestObjectInAnInterface(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.SendObject[shape](world, circle{2}, 1, 0))
			require.NoError(t, mpi.SendObject(world, &circle{3}, 1, 0))
			return
		}
		s, _, err := mpi.RecvObject[shape](world, 0, 0)
		require.NoError(t, err)
		require.Equal(t, 12, s.Area())
		c, _, err := mpi.RecvObject[circle](world, 0, 0)
		require.NoError(t, err)
		require.Equal(t, circle{3}, c)
	})
}

func TestObjectsByJSON(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		words := map[string][]int{"a": {1, 2}, "b": nil}
		if world.Rank() == 0 {
			require.NoError(t, mpi.SendObject(world, words, 1, 0, mpi.JSON))
		} else {
			got, _, err := mpi.RecvObject[map[string][]int](world, 0, 0, mpi.JSON)
			require.NoError(t, err)
			require.Equal(t, words, got)
		}
		all, err := mpi.AllgatherObjects(world, fmt.Sprint(world.Rank()), mpi.JSON)
		require.NoError(t, err)
		require.Equal(t, []string{"0", "1"}, all)
	})
}

// faulty is a codec that fails on one side.
type faulty struct{ marshal, unmarshal func() error }

var errCodec = errors.New("out of ink")

func (faulty) Name() string { return "faulty" }

func (f faulty) Marshal(any) ([]byte, error) {
	if f.marshal != nil {
		return nil, f.marshal()
	}
	return []byte("text"), nil
}

func (f faulty) Unmarshal([]byte, any) error { return f.unmarshal() }

// What is no object, not of the type or codec, or damaged, is an error with the
// class ErrType and the codec's own, never a panic, and the next message is in
// order.
func TestObjectsThatCannotBeReceived(t *testing.T) {
	whole := func(name string) []mpi.ObjectByte { // as objects are in messages: see codec.go
		var message []mpi.ObjectByte
		for _, b := range "o1" + string(rune(len(name))) + name + "\x0c\xff\x81" {
			message = append(message, mpi.ObjectByte{byte(b)})
		}
		return message
	}
	fails := func() error { return errCodec }
	panics := func() error { panic(errCodec) }
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		for i, test := range []struct {
			send    func(tag int) error
			receive []mpi.Codec
			want    string
		}{
			{func(tag int) error { return mpi.SendObject(world, "text", 1, tag) }, nil,
				"the object from rank 0 with tag 0 cannot be decoded as map[string]int by gob: gob: "},
			{func(tag int) error { return mpi.SendObject(world, "text", 1, tag, mpi.JSON) }, []mpi.Codec{mpi.JSON}, "by json: json: "},
			{func(tag int) error { return mpi.SendObject(world, "text", 1, tag, mpi.JSON) }, nil,
				"the object from rank 0 with tag 2 was encoded by json and cannot be decoded by gob: both must use the same codec"},
			{func(tag int) error { return mpi.Send(world, whole("gob"), 1, tag) }, nil, "by gob: unexpected EOF"},
			{func(tag int) error { return mpi.Send(world, whole("gob")[:2], 1, tag) }, nil, "the 2 bytes from rank 0 with tag 4 are no object"},
			{func(tag int) error { return mpi.Send(world, whole("gob")[:4], 1, tag) }, nil, "the 4 bytes from rank 0 with tag 5 are no object"},
			{func(tag int) error { return mpi.Send(world, []mpi.ObjectByte{}, 1, tag) }, nil, "are no object"},
			{func(tag int) error { return mpi.Send(world, []byte("o1\x03gob"), 1, tag) }, nil, "6 elements of uint8 from rank 0 with tag 7 cannot be received as"},
			{func(tag int) error { return mpi.SendObject(world, 1, 1, tag, faulty{}) }, []mpi.Codec{faulty{unmarshal: fails}}, "out of ink"},
			{func(tag int) error { return mpi.SendObject(world, 1, 1, tag, faulty{}) }, []mpi.Codec{faulty{unmarshal: panics}}, "panic: out of ink"},
		} {
			if world.Rank() == 0 {
				require.NoError(t, test.send(i))
				require.NoError(t, mpi.SendObject(world, map[string]int{"a": 1}, 1, 100))
				continue
			}
			got, status, err := mpi.RecvObject[map[string]int](world, 0, i, test.receive...)
			require.ErrorIs(t, err, mpi.ErrType)
			require.ErrorContains(t, err, "mpi.RecvObject: ")
			require.ErrorContains(t, err, test.want)
			require.Nil(t, got)
			require.Equal(t, i, status.Tag)
			got, _, err = mpi.RecvObject[map[string]int](world, 0, 100)
			require.NoError(t, err)
			require.Equal(t, map[string]int{"a": 1}, got)
		}
	})
}

// A codec's error on one rank fails all of a collective operation, and no rank
// waits.
func TestObjectsThatCannotBeEncoded(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		err := mpi.SendObject(world, func() {}, 0, 0)
		require.ErrorIs(t, err, mpi.ErrType)
		require.ErrorContains(t, err, "mpi.SendObject: element types differ or cannot be sent: an object of type func() cannot be encoded by gob: gob ")
		require.ErrorIs(t, mpi.SendObject[*int](world, nil, 0, 0), mpi.ErrType)
		require.ErrorIs(t, mpi.SendObject[shape](world, nil, 0, 0), mpi.ErrType)
		require.ErrorIs(t, mpi.SendObject(world, 1, 0, 0, nil), mpi.ErrArg)
		require.ErrorIs(t, mpi.SendObject(world, 1, 0, 0, mpi.Gob, mpi.JSON), mpi.ErrArg)
		for odd := range 3 {
			codec := faulty{unmarshal: func() error { return nil }}
			if me == odd {
				codec.marshal = func() error { return errCodec }
			}
			for _, call := range []func() error{
				func() error { _, err := mpi.BcastObject(world, 1, odd, codec); return err },
				func() error { _, err := mpi.GatherObjects(world, 1, (odd+1)%3, codec); return err },
				func() error { _, err := mpi.AllgatherObjects(world, 1, codec); return err },
				func() error { _, err := mpi.ScatterObjects(world, make([]int, 3), odd, codec); return err },
				func() error { _, err := mpi.AlltoallObjects(world, make([]int, 3), codec); return err },
			} {
				err := call()
				require.ErrorIs(t, err, mpi.ErrType)
				if me == odd {
					require.ErrorIs(t, err, errCodec)
				} else {
					require.ErrorContains(t, err, fmt.Sprintf("it failed on rank %d: element types differ or cannot be sent", odd))
				}
			}
		}
		require.NoError(t, world.Barrier())
	})
}

// Other codecs than this rank's are an error of a collective operation too.
func TestCollectivesOfOtherCodecs(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		codec := []mpi.Codec{mpi.Gob, mpi.JSON}[world.Rank()]
		_, err := mpi.AllgatherObjects(world, 1, codec)
		require.ErrorIs(t, err, mpi.ErrType)
		require.ErrorContains(t, err, "both must use the same codec")
		_, err = mpi.ScatterObjects(world, []int{1}, 0)
		require.ErrorIs(t, err, mpi.ErrCount)
		got, _, err := mpi.RecvObject[int](world, mpi.ProcNull, 0)
		require.NoError(t, err)
		require.Zero(t, got)
	})
}
