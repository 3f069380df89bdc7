package onecopy

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestPin(t *testing.T) {
	var p Pin
	require.Zero(t, p.Address())
	p.Release()
	b := make([]byte, 100)
	p.Announce(b[3:])
	require.Equal(t, uint64(uintptr(unsafe.Pointer(&b[3]))), p.Address())
	require.Panics(t, func() { p.Announce(b) })
	p.Release()
	p.Release()
	require.Zero(t, p.Address())
	p.Announce(nil)
	require.Zero(t, p.Address())
	p.Announce(b)
	p.Release()
}

// TestPinnedMemoryStays: what only a peer knows of is still there.
func TestPinnedMemoryStays(t *testing.T) {
	var p Pin
	freed := make(chan struct{})
	func() {
		b := new([4096]byte)
		runtime.AddCleanup(b, func(struct{}) { close(freed) }, struct{}{})
		p.Announce(b[:])
	}()
	runtime.GC()
	runtime.GC()
	select {
	case <-freed:
		require.Fail(t, "pinned memory has been freed")
	default:
	}
	p.Release()
	for {
		runtime.GC()
		select {
		case <-freed:
			return
		default:
			runtime.Gosched()
		}
	}
}
