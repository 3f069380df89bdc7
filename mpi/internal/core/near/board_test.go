package near_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/near"
)

// newMemory is memory for a board of so many ranks.
func newMemory(ranks int) []byte {
	words := make([]uint64, near.Size(ranks)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), near.Size(ranks))
}

// boards are those of all ranks.
func boards(ranks int) []*near.Board {
	memory, all := newMemory(ranks), make([]*near.Board, ranks)
	for rank := range all {
		all[rank] = near.Open(memory, rank, ranks)
	}
	return all
}

// await looks until a rank is none.
func await(rank func() int) {
	for rank() >= 0 {
		runtime.Gosched()
	}
}

// content is what a rank gives in a call.
func content(rank int, number uint32, length int) []byte {
	b := make([]byte, length)
	random := rand.New(rand.NewPCG(uint64(rank), uint64(number)))
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// Ranks that run at their own speed make calls in which all give something to all, or one to the others, or all to one. Some calls are not
// for the board at all. Numbers wrap around meanwhile.
func TestRanksReadWhatOthersHavePostedForTheSameCall(t *testing.T) {
	const first = ^uint32(0) - 500
	for _, ranks := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			all := boards(ranks)
			var group sync.WaitGroup
			for rank, b := range all {
				group.Go(func() {
					random := rand.New(rand.NewPCG(7, 7)) // the same on all
					for i := range uint32(1000) {
						number := first + i
						kind, root, length := random.IntN(4), random.IntN(ranks), random.IntN(100)
						if random.IntN(10) == 0 {
							length = random.IntN(near.Limit + 1)
						}
						gives := kind == 0 || kind == 2 || kind == 1 && rank == root
						gets := kind == 0 || kind == 1 && rank != root || kind == 2 && rank == root
						if kind == 3 {
							continue
						}
						if gives {
							await(func() int { return b.Reader(number) })
							b.Post(number, number^5, content(rank, number, length))
						}
						for from := range ranks {
							if !gets || kind == 1 && from != root {
								continue
							}
							for !b.Posted(from, number) {
								runtime.Gosched()
							}
							mark, n := b.Terms(from, number)
							assert.Equal(t, number^5, mark)
							assert.EqualValues(t, length, n)
							got := make([]byte, length)
							b.Read(got, from, number)
							if !assert.Equal(t, content(from, number, length), got, "call %d of rank %d", i, from) {
								return
							}
						}
						if gets && kind != 1 {
							assert.Negative(t, b.Missing(number))
							b.Met(number)
						}
						b.End(number)
					}
				})
			}
			group.Wait()
		})
	}
}

func TestASlotIsWrittenAgainWhenAllHaveReadIt(t *testing.T) {
	all := boards(3)
	a, b, c := all[0], all[1], all[2]
	n := uint32(10)
	for ; a.Reader(n) < 0; n++ {
		a.Post(n, 0, []byte{1})
		a.End(n)
	}
	require.Equal(t, 1, a.Reader(n))
	assert.Greater(t, n, uint32(13), "it can be ahead by several calls")
	b.End(10)
	assert.Equal(t, 2, a.Reader(n))
	assert.False(t, c.Starving())
	a.Starve(true)
	assert.True(t, c.Starving())
	c.End(11)
	assert.Negative(t, a.Reader(n))
	a.Starve(false)
	assert.False(t, c.Starving())
	a.Post(n, 0, nil)
	assert.Positive(t, a.Reader(n+1))
}

func TestAllDecideAsTheFirstDoes(t *testing.T) {
	all := boards(3)
	assert.False(t, all[0].Complete())
	for _, b := range all {
		b.Join()
	}
	assert.True(t, all[1].Complete())
	assert.True(t, all[1].Decide(true))
	assert.True(t, all[0].Decide(false))
	assert.True(t, all[2].Decide(true))

	all = boards(2)
	assert.False(t, all[0].Decide(false))
	assert.False(t, all[1].Decide(true))
}

// A peer can write anything. What others do then ends, and touches nothing but the board and their own memory.
func TestAnythingMayStandOnTheBoard(t *testing.T) {
	const ranks = 5
	random := rand.New(rand.NewPCG(1, 2))
	guarded := make([]uint64, near.Size(ranks)/8+2)
	guarded[0], guarded[len(guarded)-1] = 1, 1
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&guarded[1])), near.Size(ranks))
	for range 200 {
		b := near.Open(memory, random.IntN(ranks), ranks)
		for i := 0; i < len(memory); i += 8 {
			if random.IntN(4) == 0 {
				binary.LittleEndian.PutUint64(memory[i:], random.Uint64()>>random.IntN(64))
			}
		}
		out, number := make([]byte, random.IntN(near.Limit+1)), random.Uint32()
		b.Reader(number)
		b.Post(number, 1, out)
		b.Reader(number + near.Slots)
		b.Missing(number)
		b.Terms(random.IntN(ranks), number)
		b.Read(out, random.IntN(ranks), number)
		c := near.Combination{Board: b, Number: number, Function: func(left, right []byte) {
			require.Len(t, left, len(out))
			require.Len(t, right, len(out))
		}, Copies: true, Scratch: make([]byte, near.ScratchSize(len(out), ranks))}
		c.Allreduce(out)
		c.Reduce(out)
		b.Complete()
		b.Decide(true)
		b.End(number)
	}
	assert.EqualValues(t, 1, guarded[0])
	assert.EqualValues(t, 1, guarded[len(guarded)-1])
}
