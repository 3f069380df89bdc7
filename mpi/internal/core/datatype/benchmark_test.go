package datatype

import (
	"fmt"
	"testing"
	"unsafe"
)

// column is the loop that a program would write itself.
func column[T any](dst, src []T, stride int) {
	for i := range dst {
		dst[i] = src[i*stride]
	}
}

// Columns of matrices, beside the loop that a program would write for float64, and beside a copy of dense memory.
func BenchmarkPack(b *testing.B) {
	for _, rows := range []int64{64, 1024} {
		const columns = 64
		matrix := make([]float64, rows*columns)
		packed := make([]float64, rows*columns)
		memory, bytes := unsafe.Pointer(&matrix[0]), unsafe.Slice((*byte)(unsafe.Pointer(&packed[0])), 8*len(packed))
		b.Run(fmt.Sprintf("%d/loop", rows), func(b *testing.B) {
			b.SetBytes(8 * rows)
			for b.Loop() {
				column(packed[:rows], matrix, columns)
			}
		})
		b.Run(fmt.Sprintf("%d/memcpy", rows), func(b *testing.B) {
			b.SetBytes(8 * rows)
			for b.Loop() {
				copy(packed[:rows], matrix)
			}
		})
		for name, t := range map[string]*Type{
			"float64":    must(Vector(rows, 1, columns, Basic(Float64))),
			"float32":    must(Vector(rows, 1, columns, Basic(Float32))),
			"complex128": must(Vector(rows, 1, columns/2, Basic(Complex128))),
			"3float64":   must(Vector(rows, 3, columns, Basic(Float64))),
			"5float64":   must(Vector(rows, 5, columns, Basic(Float64))),
			"struct":     must(Vector(rows, 1, columns/4, must(Struct([]int64{1, 1}, []int64{0, 16}, []*Type{Basic(Float64), Basic(Int32)})))),
			"dense":      must(Contiguous(rows, Basic(Float64))),
		} {
			t.Commit()
			b.Run(fmt.Sprintf("%d/%s/pack", rows, name), func(b *testing.B) {
				b.SetBytes(t.Size())
				for b.Loop() {
					t.Pack(bytes, memory, 1, 0)
				}
			})
			b.Run(fmt.Sprintf("%d/%s/unpack", rows, name), func(b *testing.B) {
				b.SetBytes(t.Size())
				for b.Loop() {
					t.Unpack(memory, 1, 0, bytes[:t.Size()])
				}
			})
		}
	}
}

// A fragment in the middle of a type with many irregular blocks.
func BenchmarkSeek(b *testing.B) {
	irregular := make([]int64, 1<<16)
	for i := range irregular {
		irregular[i] = int64(i*i%977 + 1000*i)
	}
	t := must(IndexedBlock(3, irregular, Basic(Float64)))
	t.Commit()
	memory := make([]byte, 8*1000*(1<<16)+1<<16)
	packed := make([]byte, 1024)
	for b.Loop() {
		t.Pack(packed, unsafe.Pointer(&memory[0]), 1, t.Size()/2+1)
	}
}

func BenchmarkExternal(b *testing.B) {
	matrix := make([]float64, 1024)
	t := must(Contiguous(1024, Basic(Float64)))
	packed := make([]byte, t.Size())
	b.SetBytes(t.Size())
	for b.Loop() {
		if _, err := t.PackExternal(packed, unsafe.Pointer(&matrix[0]), 1); err != nil {
			b.Fatal(err)
		}
	}
}
