package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/mpitest"
)

// One-sided operations of all kinds, in epochs of all kinds, leave in memory, and read, what the standard says.
func TestRandomProgramsOfOneSidedOperations(t *testing.T) {
	modes, number, carriers := oneSidedPrograms()
	everySeed(t, carriers, number, modes, func(t *testing.T, transport, mode string, seed uint64) {
		runHere(t, transport, mode, mpitest.Windows(seed, randomRanks))
	})
}

// oneSidedPrograms is how many there are, over what.
func oneSidedPrograms() (modes int, number uint64, some []carrier) {
	if long() {
		return len(progressModes), 20, carriers
	}
	return 1, 1, slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return c.slow || c.impaired })
}

// So they do with datatypes of which the elements lie anywhere around the address, here and at the target.
func TestRandomProgramsOfOneSidedOperationsOnDatatypes(t *testing.T) {
	modes, number, carriers := oneSidedPrograms()
	everySeed(t, carriers, 4*number, modes, func(t *testing.T, transport, mode string, seed uint64) {
		size := 1 + int(seed%4)
		runJob(t, size, func(world *mpi.Comm) error { return scattered(world, seed) },
			mpi.WithTransport(transport), mpi.WithProgress(mode), mpi.WithEagerLimit([]int{1, 64 << 10}[seed/4%2]))
	})
}

// scatteredRoom is the memory that each rank has for each other, in bytes, and scatteredOperations what is done there.
const (
	scatteredRoom       = 20_000
	scatteredOperations = 8
)

// scattered has each rank do operations in its room of each other rank's window.
func scattered(world *mpi.Comm, seed uint64) (err error) {
	w, err := mpi.WinAllocate[int8](world, world.Size()*scatteredRoom)
	if err != nil {
		return err
	}
	for target := range world.Size() {
		o := newScatter(seed, world.Rank(), target)
		err = errors.Join(err, w.Lock(mpi.LockShared, target))
		for i := range scatteredOperations {
			if err == nil {
				err = o.do(w, i)
			}
			if err == nil {
				err = w.Flush(target) // operations are in no order without it
			}
			if err == nil {
				err = o.check()
			}
			if err != nil {
				return fmt.Errorf("operation %d of rank %d at rank %d: %w", i, world.Rank(), target, err)
			}
		}
		err = errors.Join(err, w.Unlock(target))
	}
	if err := errors.Join(err, world.Barrier(), w.Sync()); err != nil {
		return err
	}
	for origin := range world.Size() {
		o := newScatter(seed, origin, world.Rank())
		for i := range scatteredOperations {
			_ = o.do(nil, i)
		}
		got := unsafe.Slice((*byte)(unsafe.Pointer(&w.Memory()[origin*scatteredRoom])), scatteredRoom)
		if !bytes.Equal(got, o.model) {
			return fmt.Errorf("rank %d has other memory in the room of rank %d than it should have", world.Rank(), origin)
		}
	}
	return w.Free()
}

// scatter is the operations of one rank at another, and what its room there should hold.
type scatter struct {
	*rand.Rand
	origin, target int
	model          []byte
	check          func() error // what has come here, when the operation has ended
}

func newScatter(seed uint64, origin, target int) *scatter {
	return &scatter{rand.New(rand.NewPCG(seed, uint64(1000*origin+target))), origin, target, make([]byte, scatteredRoom), nil}
}

// do does the next operation, in the model alone if w is nil.
func (o *scatter) do(w *mpi.Win[int8], number int) error {
	way := o.IntN(8)
	kinds := kindsOf(o.Rand)
	if way >= 4 { // an accumulate, of which the elements are those of the window
		kinds = slices.Repeat([]datatype.Kind{datatype.Int8}, len(kinds))
	}
	count := 1 + o.IntN(1+o.IntN(30))
	layout, here := spread(o.Rand, kinds).memory(o.Rand, count), spread(o.Rand, kinds).memory(o.Rand, count)
	if len(layout.bytes) > scatteredRoom {
		o.check = func() error { return nil }
		return nil
	}
	// The layout has the window's memory from some place on.
	first := o.IntN(scatteredRoom - len(layout.bytes) + 1)
	layout.bytes = o.model[first:][:len(layout.bytes)]
	old, sent, want := layout.message(), here.message(), here.bytes
	sum, exclusive := mpi.Op[int8](mpi.Sum[int8]), mpi.Op[int8](mpi.BitXor[int8])
	switch way {
	case 0, 1: // Get
		want = here.after(old)
	case 2, 3: // Put
		copy(layout.bytes, layout.after(sent))
	case 4, 5: // Accumulate
		copy(layout.bytes, layout.after(combined(old, sent, sum)))
	default: // GetAccumulate
		copy(layout.bytes, layout.after(combined(old, sent, exclusive)))
	}
	if w == nil {
		return nil
	}
	got := make([]byte, len(old))
	result := mpi.DataOf(unsafe.Pointer(&got[0]), len(got), datatype.Basic(datatype.Int8))
	o.check = func() error {
		if !bytes.Equal(here.bytes, want) || way >= 6 && !bytes.Equal(got, old) {
			return fmt.Errorf("%d elements of %s: other bytes than those of the window", count, layout.Name())
		}
		return nil
	}
	disp := o.origin*scatteredRoom + first + int(layout.base)
	target := mpi.DataOf(nil, count, layout.Type)
	finish := func(r *mpi.Request, err error) error {
		if err == nil {
			_, err = r.Wait(context.Background())
		}
		return err
	}
	switch way {
	case 0:
		return w.GetData(here.data(), o.target, disp, target)
	case 1:
		return finish(w.RgetData(here.data(), o.target, disp, target))
	case 2:
		return w.PutData(here.data(), o.target, disp, target)
	case 3:
		return finish(w.RputData(here.data(), o.target, disp, target))
	case 4:
		return w.AccumulateData(here.data(), sum, o.target, disp, target)
	case 5:
		return finish(w.RaccumulateData(here.data(), sum, o.target, disp, target))
	case 6:
		return w.GetAccumulateData(here.data(), result, exclusive, o.target, disp, target)
	}
	return finish(w.RgetAccumulateData(here.data(), result, exclusive, o.target, disp, target))
}

// combined is what an operation makes of elements.
func combined(left, right []byte, op mpi.Op[int8]) []byte {
	result := slices.Clone(left)
	of := func(b []byte) []int8 { return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b)) }
	op(of(result), of(right))
	return result
}
