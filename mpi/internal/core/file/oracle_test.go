package file

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

var seed = flag.Uint64("seed", 0, "repeat the random test with this seed only")

// seeds are those of a random test: some that are always the same, and a new one.
func seeds() []uint64 {
	if *seed != 0 {
		return []uint64{*seed}
	}
	n := 40
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		n = 4000
	}
	all := []uint64{uint64(time.Now().UnixNano())}
	for i := range n {
		all = append(all, uint64(i)+1)
	}
	return all
}

// access is one rank's part of a random access, as the oracle sees it: the bytes of the file in the order of the stream, one
// by one.
type access struct {
	disp     int64
	etype    *datatype.Type
	filetype *datatype.Type
	offset   int64 // in etypes
	memory   []byte
	count    int64
	memtype  *datatype.Type
}

// places lists the offset in the file of each byte of a type map that is repeated.
func places(t *datatype.Type, disp, from, n int64) []int64 {
	var all []int64
	for tile := int64(0); int64(len(all)) < from+n; tile++ {
		for at, size := range t.Pieces(1, 0, t.Size()) {
			for i := range size {
				all = append(all, disp+tile*t.Extent()+at+i)
			}
		}
	}
	return all[from : from+n]
}

// bytes are the places of the access in memory and in the file.
func (a *access) places() (memory, file []int64) {
	size := a.count * a.memtype.Size()
	return places(a.memtype, 0, 0, size), places(a.filetype, a.disp, a.offset*a.etype.Size(), size)
}

func made(t *datatype.Type, err error) *datatype.Type {
	if err != nil {
		panic(err)
	}
	return t
}

// randomType is a type of n elements with gaps, in an extent of its own.
func randomType(r *rand.Rand, element *datatype.Type, n int64, monotonic bool) *datatype.Type {
	switch r.IntN(4) {
	case 0:
		return made(datatype.Contiguous(n, element))
	case 1:
		v := made(datatype.Vector(n, 1, 1+r.Int64N(4), element))
		return made(datatype.Resized(v, 0, v.Extent()+r.Int64N(3)*element.Extent()))
	case 2:
		v := made(datatype.Hvector(n, 1, element.Extent()+r.Int64N(5), element))
		return made(datatype.Resized(v, 0, v.Extent()+r.Int64N(20)))
	}
	lengths, displs, at := make([]int64, n), make([]int64, n), int64(0)
	for i := range displs {
		at += r.Int64N(3)
		lengths[i], displs[i] = 1, at
		at++
	}
	if !monotonic {
		r.Shuffle(len(displs), func(i, j int) { displs[i], displs[j] = displs[j], displs[i] })
	}
	return made(datatype.Indexed(lengths, displs, element))
}

// sharing gives the ranks a part each of blocks that lie one after the other in the file: what collective access is for.
func sharing(r *rand.Rand, etype *datatype.Type, rank, ranks int, block int64) *datatype.Type {
	v := made(datatype.Contiguous(block, etype))
	placed := made(datatype.Hindexed([]int64{1}, []int64{int64(rank) * v.Extent()}, v))
	return made(datatype.Resized(placed, 0, int64(ranks)*v.Extent()))
}

func randomAccesses(r *rand.Rand, ranks int, disjoint bool) []*access {
	element := datatype.Basic([]datatype.Kind{datatype.Byte, datatype.Int32, datatype.Float64}[r.IntN(3)])
	etype := made(datatype.Contiguous(1+r.Int64N(3), element))
	block, disp := 1+r.Int64N(200), r.Int64N(100)
	all := make([]*access, ranks)
	for rank := range all {
		a := &access{disp: disp, etype: etype, offset: r.Int64N(10)}
		if disjoint {
			a.filetype = sharing(r, etype, rank, ranks, block)
		} else {
			a.disp += r.Int64N(1000)
			a.filetype = randomType(r, etype, 1+r.Int64N(30), true)
		}
		per := 1 + r.Int64N(8)
		a.memtype = randomType(r, element, per*etype.Elements(), false)
		if a.count = r.Int64N(2 + r.Int64N(300)); r.IntN(6) == 0 {
			a.count = 0
		}
		_, high, err := a.memtype.Span(a.count)
		if err != nil {
			panic(err)
		}
		a.memory = make([]byte, high)
		for i := range a.memory {
			a.memory[i] = byte(r.Uint32())
		}
		all[rank] = a
	}
	return all
}

func (a *access) data() Memory {
	return Memory{Addr: unsafe.Pointer(unsafe.SliceData(a.memory)), Count: a.count, Type: a.memtype}
}

func randomInfo(r *rand.Rand) map[string]string {
	info := make(map[string]string)
	if r.IntN(2) == 0 {
		info[hintCollective] = []string{"true", "false", "automatic"}[r.IntN(3)]
	}
	if r.IntN(2) == 0 {
		info[hintBuffer] = fmt.Sprint(leastBuffer << r.IntN(4))
	}
	if r.IntN(2) == 0 {
		info[hintSieveRead] = fmt.Sprint(leastBuffer << r.IntN(4))
	}
	if r.IntN(2) == 0 {
		info[hintAggregators] = fmt.Sprint(1 + r.IntN(8))
	}
	if r.IntN(2) == 0 {
		info[hintSieveWrite] = "enable"
	}
	return info
}

// Whatever the views, the memory, the hints and the way: the file has the bytes that a copy byte by byte would leave there, and
// a read gets those that are there.
func TestRandomAccesses(t *testing.T) {
	for _, seed := range seeds() {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			n, disjoint := 1+r.IntN(8), r.IntN(2) == 0
			writes, reads := randomAccesses(r, n, disjoint), randomAccesses(r, n, false)
			info := randomInfo(r)
			path := filepath.Join(t.TempDir(), "file")
			expected := make([]byte, r.IntN(5000))
			for i := range expected {
				expected[i] = byte(r.Uint32())
			}
			require.NoError(t, os.WriteFile(path, expected, 0o600))
			written := Access{Write: true, Collective: true, Pointer: Pointer(r.IntN(2))}
			if disjoint {
				written.Collective = r.IntN(2) == 0
			} else { // in two phases the writes have an order
				info[hintCollective] = "true"
			}
			read := Access{Collective: r.IntN(2) == 0, Pointer: Pointer(r.IntN(2))}
			whole, atomic := r.IntN(5), r.IntN(4) == 0
			if atomic && !disjoint { // whose order is not known
				atomic = false
			}
			ranks(t, n, func(t *testing.T, comm Comm) {
				f, err := Open(comm, path, ReadWrite|Create, info)
				if !assert.NoError(t, err) {
					return
				}
				assert.NoError(t, f.SetAtomicity(atomic))
				w := writes[comm.Rank()]
				got, err := w.run(f, written)
				if assert.NoError(t, err) {
					assert.Equal(t, w.count*w.memtype.Size(), got)
				}
				if whole == 0 {
					assert.NoError(t, f.SetSize(2000))
				}
				_, err = agree(comm, callSync, nil)
				assert.NoError(t, err)
				if comm.Rank() == 0 {
					expected = overlay(expected, writes)
					if whole == 0 {
						expected = append(expected, make([]byte, 2000)...)[:2000]
					}
					there, err := os.ReadFile(path)
					assert.NoError(t, err)
					assert.True(t, bytes.Equal(expected, there), "the file differs at %d", differing(expected, there))
				}
				_, err = agree(comm, callSync, nil)
				assert.NoError(t, err)
				a := reads[comm.Rank()]
				wanted, n := a.after(expected)
				got, err = a.run(f, read)
				if assert.NoError(t, err) {
					assert.Equal(t, n, got)
					assert.True(t, bytes.Equal(wanted, a.memory), "the memory differs at %d", differing(wanted, a.memory))
				}
				assert.NoError(t, f.Close())
			})
		})
	}
}

func (a *access) run(f *File, how Access) (int64, error) {
	if err := f.SetView(a.disp, a.etype, a.filetype, Native); err != nil {
		return 0, err
	}
	if how.Pointer == Individual {
		if _, err := f.Seek(a.offset, 0); err != nil {
			return 0, err
		}
	}
	return f.Access(how, a.offset, a.data())
}

// overlay is the file after the writes of all ranks, in their order.
func overlay(file []byte, writes []*access) []byte {
	for _, a := range writes {
		memory, offsets := a.places()
		for i, at := range offsets {
			if at >= int64(len(file)) {
				file = append(file, make([]byte, at+1-int64(len(file)))...)
			}
			file[at] = a.memory[memory[i]]
		}
	}
	return file
}

// after is the memory after a read, and how many bytes it got.
func (a *access) after(file []byte) ([]byte, int64) {
	wanted, n := bytes.Clone(a.memory), int64(0)
	memory, offsets := a.places()
	for i, at := range offsets {
		if at >= int64(len(file)) {
			break
		}
		wanted[memory[i]] = file[at]
		n++
	}
	return wanted, n
}

func differing(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
