package mpi

// window holds exchanges with several partners that are under way at a time. A
// rank that waits for one of them takes in what comes for the others as well:
// with more ranks than processors each wait costs a turn on a processor.
//
// Partners must come in an order in which no rank waits for a rank that waits
// for it: in step s, rank+s and rank-s.
type window struct {
	call         *call
	under        [maxExchanges]exchange
	lengths      [maxExchanges]int
	first, count int
	bytes        int // that are sent
}

// There are at most maxExchanges under way, and of long messages so many that no
// more than windowBytes are, but always one.
const (
	maxExchanges = 8
	windowBytes  = 256 << 10
)

// exchange starts an exchange, after having waited for the first ones if there
// are too many.
func (w *window) exchange(to int, out []byte, from int, in []byte) {
	for w.count == maxExchanges || w.count > 0 && w.bytes+len(out) > windowBytes {
		w.next()
	}
	i := (w.first + w.count) % maxExchanges
	w.under[i], w.lengths[i] = w.call.startExchange(to, out, from, in), len(out)
	w.count++
	w.bytes += len(out)
}

// next waits for the first of those under way.
func (w *window) next() {
	x := w.under[w.first]
	w.bytes -= w.lengths[w.first]
	w.first, w.count = (w.first+1)%maxExchanges, w.count-1
	w.call.finish(x)
}

// finish waits for all that are under way.
func (w *window) finish() {
	for w.count > 0 {
		w.next()
	}
}
