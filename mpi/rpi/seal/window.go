package seal

// Window is how many counters back from the highest one a record may still arrive. So many packets may be under way at a
// time, and overtake each other.
const Window = 8192

const (
	wordBits = 64
	// words has room for the Window and for the word that the highest counter has just begun.
	words = 2 * Window / wordBits
)

// window knows which counters have been used: a ring of bits, one for each counter, as in RFC 6479.
type window struct {
	bits *[words]uint64 // nil: all counters before next have been used, one after the other
	next uint64         // beyond the highest counter that was used
}

// fresh reports whether a counter has not been used, and is not too old to tell.
func (w *window) fresh(counter uint64) bool {
	if counter >= w.next {
		return true
	}
	return w.bits != nil && w.next-counter <= Window && w.bits[counter/wordBits%words]>>(counter%wordBits)&1 == 0
}

// mark notes that a counter, which is fresh, has been used.
func (w *window) mark(counter uint64) {
	if w.bits == nil {
		if counter == w.next {
			w.next++
			return
		}
		w.open()
	}
	if counter >= w.next {
		// The words between the highest counter's and this one's are of counters that come first now.
		last, now := w.next/wordBits, counter/wordBits
		if w.next%wordBits == 0 {
			last-- // the word of next itself has not been begun
		}
		for i := min(now-last, words); i > 0; i-- {
			w.bits[(now-i+1)%words] = 0
		}
		w.next = counter + 1
	}
	w.bits[counter/wordBits%words] |= 1 << (counter % wordBits)
}

// open makes the ring when a counter is left out for the first time.
func (w *window) open() {
	w.bits = new([words]uint64)
	for i := range w.bits {
		w.bits[i] = ^uint64(0)
	}
	w.bits[w.next/wordBits%words] = 1<<(w.next%wordBits) - 1
}
