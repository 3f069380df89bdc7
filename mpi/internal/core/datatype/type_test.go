package datatype

import (
	"math"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// What a type says of itself is what its type map says.
func TestTypesAreTheirTypeMaps(t *testing.T) {
	r := newRandom(t)
	r.each(func(made *Type, o oracle) {
		low, high := o.bounds()
		first, last := o.trueBounds()
		require.Equal(t, []int64{o.size(), low, high - low, first, last - first, int64(len(o.entries))},
			[]int64{made.Size(), made.LowerBound(), made.Extent(), made.TrueLowerBound(), made.TrueExtent(), made.Elements()}, made.list)
		made.Commit()
		require.Equal(t, o.size(), made.bytes.size)
		require.Equal(t, dense(o), made.Dense(), "%v", made.bytes)

		n := r.small(4)
		all := o.bytes(n)
		_, _, block := made.Block(n)
		require.Equal(t, consecutive(all), block)
		var visited []int64
		for disp, size := range made.Pieces(n, 0, math.MaxInt64) {
			for i := range size {
				visited = append(visited, disp+i)
			}
		}
		require.Equal(t, all, visited)
		low, high, err := made.Span(n)
		require.NoError(t, err)
		if len(all) > 0 {
			first, last := all[0], all[0]
			for _, d := range all {
				first, last = min(first, d), max(last, d)
			}
			require.Equal(t, []int64{first, last + 1}, []int64{low, high})
		}
	})
}

func dense(o oracle) bool {
	low, high := o.bounds()
	all := o.bytes(1)
	return low == 0 && high == int64(len(all)) && consecutive(all) && (len(all) == 0 || all[0] == 0)
}

func consecutive(all []int64) bool {
	for i := range all {
		if all[i] != all[0]+int64(i) {
			return false
		}
	}
	return true
}

// memory is a buffer in the middle of which types with any displacement of the tests fit.
func memory(r *random) ([]byte, unsafe.Pointer) {
	all := make([]byte, 1<<15)
	for i := range all {
		all[i] = byte(r.Uint32())
	}
	return all, unsafe.Pointer(&all[len(all)/2])
}

// Any fragments of a message, in any order, make up the message.
func TestPackAndUnpackFragments(t *testing.T) {
	r := newRandom(t)
	source, src := memory(r)
	before := make([]byte, len(source))
	target := make([]byte, len(source))
	middle := int64(len(source) / 2)
	r.each(func(made *Type, o oracle) {
		n := r.small(4)
		all := o.bytes(n)
		for _, d := range all {
			if d < -middle || d >= middle {
				return
			}
		}
		want := make([]byte, len(all))
		for i, d := range all {
			want[i] = source[middle+d]
		}
		packed := make([]byte, len(all)+3)
		require.Equal(t, len(all), made.Pack(packed, src, n, 0))
		require.Equal(t, want, packed[:len(all)])

		once := len(all) == distinct(all)
		r.Read(target)
		copy(before, target)
		for _, f := range r.fragments(len(all)) {
			part := make([]byte, f.size)
			require.Equal(t, f.size, made.Pack(part, src, n, int64(f.from)))
			require.Equal(t, want[f.from:f.from+f.size], part)

			var pieces [][]byte
			var gathered []byte
			for from := int64(f.from); from < int64(f.from+f.size); {
				var bytes int64
				pieces, bytes = made.Gather(pieces[:0], src, n, from, int64(f.from+f.size)-from, 1+r.IntN(4))
				require.Positive(t, bytes)
				from += bytes
				for _, p := range pieces {
					gathered = append(gathered, p...)
				}
			}
			require.Equal(t, part, append([]byte{}, gathered...)[:len(gathered)], "gather list")
			require.Equal(t, f.size, made.Unpack(unsafe.Pointer(&target[middle]), n, int64(f.from), part))
		}
		if once {
			for i, d := range all {
				before[middle+d] = want[i]
			}
			require.True(t, string(before) == string(target), "unpacking must write where the type has elements and nowhere else")
		}
	})
}

func distinct(all []int64) int {
	seen := make(map[int64]bool)
	for _, d := range all {
		seen[d] = true
	}
	return len(seen)
}

type fragment struct{ from, size int }

func (r *random) fragments(size int) (all []fragment) {
	for from := 0; from < size; {
		n := 1 + r.IntN(min(size-from, 1+r.IntN(40+size/10)))
		all = append(all, fragment{from, n})
		from += n
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func (r *random) Read(p []byte) {
	for i := 0; i+8 <= len(p); i += 8 {
		*(*uint64)(unsafe.Pointer(&p[i])) = r.Uint64()
	}
}

// A type may be used by several goroutines, before its commit too.
func TestTypesAreSharedByGoroutines(t *testing.T) {
	matrix := make([]float64, 12)
	for i := range matrix {
		matrix[i] = float64(i)
	}
	column := must(Vector(3, 1, 4, Basic(Float64)))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			got := make([]float64, 3)
			column.Pack(unsafe.Slice((*byte)(unsafe.Pointer(&got[0])), 24), unsafe.Pointer(&matrix[1]), 1, 0)
			column.SetName("column")
			if got[0] != 1 || got[1] != 5 || got[2] != 9 || column.Signature() != Signature(Float64) || column.Name() != "column" {
				t.Errorf("goroutine %d: %v", i, got)
			}
		})
	}
	all.Wait()
}
