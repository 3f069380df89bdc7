package rpi

import (
	"fmt"
	"sync"
)

// Account counts the copies of buffered sends that have not left, and may limit them: what a program attaches in C is a
// number here (MPI 4.1, section 3.6). The zero Account has no limit beside that of the transport.
type Account struct {
	mu       sync.Mutex
	limited  bool
	limit    int
	used     int // with the overhead of each message
	messages int
	flushes  []*Request
}

// BufferedOverhead is what each message counts beside its bytes.
const BufferedOverhead = 64

// Limit bounds the bytes of all copies together, with BufferedOverhead for each; none if it is less than 0.
func (a *Account) Limit(bytes int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limited, a.limit = bytes >= 0, bytes
}

// Limited reports whether there is a limit.
func (a *Account) Limited() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limited
}

// Add counts a message of n bytes. It is the error of the send if there is no room.
func (a *Account) Add(n int) error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.limited && n+BufferedOverhead > a.limit-a.used {
		return fmt.Errorf("%w: buffered messages take %d bytes, %d more, and %d for each, would exceed the limit of %d",
			ErrBuffer, a.used, n, BufferedOverhead, a.limit)
	}
	a.used += n + BufferedOverhead
	a.messages++
	return nil
}

// Remove takes back what Add has counted.
func (a *Account) Remove(n int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used -= n + BufferedOverhead
	a.messages--
	if a.messages > 0 {
		return
	}
	for _, r := range a.flushes {
		r.Complete(nil)
	}
	clear(a.flushes)
	a.flushes = a.flushes[:0]
}

// Flush completes r as soon as there is no copy.
func (a *Account) Flush(r *Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.messages == 0 {
		r.Complete(nil)
		return
	}
	a.flushes = append(a.flushes, r)
}
