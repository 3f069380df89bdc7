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

// lock takes the latch. That of a process which has died is free.
func (l *latch) lock() {
	for looks := 1; !l.word.CompareAndSwap(0, ownProcess); looks++ {
		switch holder := l.word.Load(); {
		case looks < latchSpins:
			if looks%16 == 0 {
				runtime.Gosched() // it may be another goroutine's
			}
		case looks%latchPauses == 0 && holder != 0 && holder != ownProcess && !lives(holder):
			if l.word.CompareAndSwap(holder, ownProcess) {
				return
			}
		default:
			time.Sleep(latchPause)
		}
	}
}

func (l *latch) unlock() { l.word.Store(0) }
