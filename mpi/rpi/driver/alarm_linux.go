package driver

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// alarm wakes a thread: a futex.
type alarm struct{ rung atomic.Uint32 }

const (
	futexWait = 0 | 128 // FUTEX_WAIT of threads of this process
	futexWake = 1 | 128
)

func (*alarm) open() {}

// sleep returns when the alarm rings, or has rung. It may return early.
func (a *alarm) sleep() {
	if a.rung.Load() == 0 {
		_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&a.rung)), futexWait, 0, 0, 0, 0)
	}
}

// ring ends a sleep, or the next one.
func (a *alarm) ring() {
	if a.rung.Swap(1) == 0 {
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&a.rung)), futexWake, 1, 0, 0, 0)
	}
}

// quiet forgets that the alarm has rung.
func (a *alarm) quiet() { a.rung.Store(0) }
