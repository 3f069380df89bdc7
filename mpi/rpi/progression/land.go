package progression

import "sync"

// smallPiece is the longest piece of a body, in bytes, that is copied while the transport's lock is held.
const smallPiece = 4 << 10

// Land copies a piece of a body to its place, which is as long at least: see Sink. The caller holds the transport's lock. It
// is released while much is copied.
func Land(lock sync.Locker, place, piece []byte) {
	if len(piece) <= smallPiece {
		copy(place, piece)
		return
	}
	lock.Unlock()
	copy(place, piece)
	lock.Lock()
}
