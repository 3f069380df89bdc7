package main

// #include "sctpmpi.h"
import "C"

import (
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/signals"
)

func init() { signals.Foreign = notify }

// eventCounters are what the handler of signals.c writes to, by their signals. They stay open, as it may be at work still.
var eventCounters struct {
	mu    sync.Mutex
	files map[syscall.Signal]*os.File
}

// notify is Notify of package signals. A signal that the program handles or ignores is not told.
func notify(s os.Signal) (got <-chan os.Signal, stop func()) {
	number := s.(syscall.Signal)
	eventCounters.mu.Lock()
	defer eventCounters.mu.Unlock()
	fd := C.sctpmpi_notify(C.int(number))
	if fd < 0 {
		c := make(chan os.Signal)
		return c, sync.OnceFunc(func() { close(c) })
	}
	file := eventCounters.files[number]
	if file == nil {
		if eventCounters.files == nil {
			eventCounters.files = make(map[syscall.Signal]*os.File)
		}
		file = os.NewFile(uintptr(fd), s.String())
		eventCounters.files[number] = file
	}
	_ = file.SetReadDeadline(time.Time{})
	return signals.Counted(s, file), func() {
		C.sctpmpi_forget(C.int(number))
		_ = file.SetReadDeadline(time.Unix(1, 0))
	}
}
