package ring

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// aligned is memory of the program that is laid out as a segment's must be.
func aligned(size int) []byte {
	mem := make([]byte, size+LineSize)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(mem)))) & (LineSize - 1)
	return mem[skip : skip+size : skip+size]
}

// ends opens both ends of a new ring.
func ends(t testing.TB, size int) (*Producer, *Consumer) {
	t.Helper()
	mem := aligned(size)
	return endsOf(t, mem, mem)
}

// endsOf opens both ends of a ring in memory that is mapped twice.
func endsOf(t testing.TB, writing, reading []byte) (*Producer, *Consumer) {
	t.Helper()
	require.NoError(t, Format(writing))
	p, err := NewProducer(writing)
	require.NoError(t, err)
	c, err := NewConsumer(reading)
	require.NoError(t, err)
	return p, c
}

// frame is what a test sends: its header and body follow from its number and length.
type frame struct{ number, length int }

func (f frame) header() *[HeaderSize]byte {
	var h [HeaderSize]byte
	for i := range h {
		h[i] = byte(f.number*7 + f.number>>8 + i)
	}
	return &h
}

func (f frame) body() []byte {
	b := make([]byte, f.length)
	for i := range b {
		b[i] = byte(f.number*13 + f.number>>8 + i + i>>8)
	}
	return b
}

// put puts a frame for which there must be room.
func put(t testing.TB, p *Producer, f frame) {
	t.Helper()
	ok, err := p.Put(f.header(), f.body())
	require.NoError(t, err)
	require.True(t, ok, "no room for %d bytes", f.length)
}

// next returns the next frame, which must be there.
func next(t testing.TB, c *Consumer) *Frame {
	t.Helper()
	f := new(Frame)
	ok, err := c.Next(f)
	require.NoError(t, err)
	require.True(t, ok, "no frame")
	return f
}

// expect takes the next frame and compares it.
func expect(t testing.TB, c *Consumer, want frame) {
	t.Helper()
	same(t, want, next(t, c))
}

func same(t testing.TB, want frame, got *Frame) {
	t.Helper()
	require.Equal(t, *want.header(), got.Header, "header of frame %d", want.number)
	require.Equal(t, want.length, len(got.Body)+len(got.Rest), "length of frame %d", want.number)
	if want.length > 0 { // not by require.Equal alone, which is slow
		b := want.body()
		if string(b[:len(got.Body)]) != string(got.Body) || string(b[len(got.Body):]) != string(got.Rest) {
			require.Equal(t, b, append(got.Body[:len(got.Body):len(got.Body)], got.Rest...))
		}
	}
}

func expectEmpty(t testing.TB, c *Consumer) {
	t.Helper()
	ok, err := c.Next(new(Frame))
	require.NoError(t, err)
	require.False(t, ok, "there is a frame")
}
