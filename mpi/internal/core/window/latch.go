package window

import (
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// latch keeps the operations apart that several processes carry out on the memory of one rank: a word in memory that they share, 0 or the
// process that has it. It is held for as long as a short operation takes, over no call of the program, the transport or the system.
type latch struct{ word *atomic.Uint32 }

const (
	// latchSpins is how often lock looks before it takes it that the process which has the latch has no processor.
	latchSpins = 200
	latchPause = 20 * time.Microsecond
	// latchPauses is after how many pauses lock asks whether that process has died: it takes two system calls.
	latchPauses = 50
)

var ownProcess = uint32(os.Getpid())

// lock takes the latch. That of a process which has died is free, which died reports.
func (l latch) lock() (died bool) {
	for looks := 1; ; looks++ {
		if taken, died := l.try(looks); taken {
			return died
		}
	}
}

// try takes the latch if it is free, at the look with this number. Otherwise it lets others run, or sleeps for some time.
func (l latch) try(look int) (taken, died bool) {
	if l.word.CompareAndSwap(0, ownProcess) {
		return true, false
	}
	switch holder := l.word.Load(); {
	case look < latchSpins:
		if look%16 == 0 {
			runtime.Gosched() // it may be another goroutine's
		}
	case look%latchPauses == 0 && holder != 0 && holder != ownProcess && !lives(holder):
		if l.word.CompareAndSwap(holder, ownProcess) {
			return true, true
		}
	default:
		time.Sleep(latchPause)
	}
	return false, false
}

func (l latch) unlock() { l.word.Store(0) }
