// Package monitor has the lock of a transport. It is for transports, not for programs.
//
// A transport is a monitor (Hoare, 1974): one lock guards all its state, and goroutines that wait for a change of the state wait on
// a condition of that lock. What a change leaves to do outside, such as to hand frames to the network, is done by the goroutine that
// made it, at the end: Unlock does it. So each function locks and unlocks the lock itself, and none has to know what is left.
package monitor

import "sync"

// Lock is the lock of a transport. Use New.
type Lock struct {
	mu   sync.Mutex
	work func()
}

// New returns a lock. Unlock calls work first, with the lock held, unless that is nil: it does what is left to do. It may Leave the lock, and
// Enter it again, as often as it likes.
func New(work func()) *Lock { return &Lock{work: work} }

// Lock takes the lock.
func (l *Lock) Lock() { l.mu.Lock() }

// Unlock does what is left to do, and then gives the lock up.
func (l *Lock) Unlock() {
	if l.work != nil {
		l.work()
	}
	l.mu.Unlock()
}

// Leave gives the lock up as it is, for a system call or a long copy. Enter must follow, in the same function, unless the transport ends.
func (l *Lock) Leave() { l.mu.Unlock() }

// Enter takes the lock after Leave.
func (l *Lock) Enter() { l.mu.Lock() }

// muchToCopy is how many bytes take longer to copy than the lock to be left and entered.
const muchToCopy = 4 << 10

// Copy copies src to dst, which is as long at least. The lock is held, but not while much is copied: both must stay valid meanwhile.
func (l *Lock) Copy(dst, src []byte) {
	if len(src) > muchToCopy {
		l.Leave()
		defer l.Enter()
	}
	copy(dst, src)
}
