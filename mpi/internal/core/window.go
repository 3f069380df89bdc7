package core

// window holds several exchanges that are under way at a time. While a rank waits
// for one of them, messages of the others arrive as well. That helps most with
// more ranks than processors, where each wait costs a change of process.
//
// The order of partners must be such that no two ranks wait for each other: in
// step s the partners are rank+s and rank-s.
type window struct {
	call         *call
	under        [maxExchanges]exchange
	lengths      [maxExchanges]int
	first, count int
	bytes        int // that are sent
}

// At most maxExchanges are under way, with at most windowBytes in all. A single
// exchange may be longer.
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
