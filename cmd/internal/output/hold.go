package output

import (
	"bytes"
	"sync"
	"sync/atomic"
)

const (
	// maxHeld bounds the bytes that are held of one source. A source that says more is passed on from then on.
	maxHeld = 16 << 10
	// maxTail bounds the last bytes that are remembered of one source; see Said.
	maxTail = 4 << 10
)

// hold is what a forwarder keeps of a source that is held.
type hold struct {
	mu      sync.Mutex // held while what was held is written, so that it stays in order
	on      bool
	kept    []byte      // not passed on yet
	waiting atomic.Bool // kept is not empty

	look sync.Mutex
	tail []byte // the last that has come
}

// Hold is Forward for a source of which nothing is passed on before [Forwarder.Release], [Sink.Fold], or 16 KiB.
// number names it in the lines that Fold folds.
func (s *Sink) Hold(source Source, label string, number int) *Forwarder {
	f := newForwarder(s, source, label)
	f.number, f.hold = number, &hold{on: true}
	go f.run()
	return f
}

// Held reports whether something is held. It does not wait for the sink.
func (f *Forwarder) Held() bool { return f.hold.waiting.Load() }

// Release passes on what has been held, and from now on everything at once.
func (f *Forwarder) Release() {
	f.hold.mu.Lock()
	defer f.hold.mu.Unlock()
	f.release()
}

// release is called with the lock held.
func (f *Forwarder) release() {
	if kept := f.hold.end(); len(kept) > 0 {
		f.write(kept)
	}
}

// end is the end of the holding, and returns what was held.
func (h *hold) end() []byte {
	kept := h.kept
	h.on, h.kept = false, nil
	h.waiting.Store(false)
	return kept
}

// pass passes lines on, or holds them.
func (f *Forwarder) pass(lines []byte) {
	if f.hold == nil {
		f.write(lines)
		return
	}
	f.hold.mu.Lock()
	defer f.hold.mu.Unlock()
	f.hold.remember(lines)
	if f.hold.on && len(f.hold.kept)+len(lines) <= maxHeld {
		f.hold.kept = append(f.hold.kept, lines...)
		f.hold.waiting.Store(true)
		return
	}
	f.release()
	f.write(lines)
}

func (h *hold) remember(lines []byte) {
	h.look.Lock()
	defer h.look.Unlock()
	h.tail = append(h.tail, lines[max(0, len(lines)-maxTail):]...)
	if excess := len(h.tail) - maxTail; excess > 0 {
		h.tail = h.tail[:copy(h.tail, h.tail[excess:])]
	}
}

// Said reports whether the last 4 KiB that a source of Hold has written have this text. It does not wait for the sink.
func (f *Forwarder) Said(text string) bool {
	f.hold.look.Lock()
	defer f.hold.look.Unlock()
	return bytes.Contains(f.hold.tail, []byte(text))
}

// Take ends the holding, and returns what was held instead of passing it on.
func (f *Forwarder) Take() string {
	f.hold.mu.Lock()
	defer f.hold.mu.Unlock()
	return string(f.hold.end())
}

// LastLine is the last line that a source of Hold has written, "" if there is none. It does not wait for the sink.
func (f *Forwarder) LastLine() string {
	f.hold.look.Lock()
	defer f.hold.look.Unlock()
	text := bytes.TrimRight(f.hold.tail, "\r\n")
	return string(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:]))
}
