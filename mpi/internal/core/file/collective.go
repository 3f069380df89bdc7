package file

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// accessAll is a collective access, of this rank's part. Another error than nil of before is that of the arguments.
func (f *File) accessAll(in call, write bool, p part, before error) (int64, error) {
	numbers := make([]int64, values)
	if before == nil {
		size, err := f.length()
		before = f.failed(in, err)
		numbers[0], numbers[1], numbers[2] = p.position, p.end(), size
		if before == nil && p.stream.size > 0 {
			numbers[3], numbers[4] = p.bounds()
		}
	}
	told, err := agree(f.comm, in, before, numbers...)
	if err != nil {
		return 0, err
	}
	requests, length := make([]request, len(told)), int64(0)
	for _, t := range told {
		length = max(length, t.values[2])
	}
	for i, t := range told {
		r := request{view: f.views[i], from: t.values[0], to: t.values[1], first: t.values[3], last: t.values[4]}
		if !write && r.last > length && r.view != nil && !r.overlaps { // there is nothing behind the end
			r.to = r.before(length, r.from, r.to)
			r.last = max(r.first, length)
		}
		requests[i] = r
	}
	plan, ok := newPlan(requests, f.hints.Load())
	var done int64
	switch {
	case !ok || f.atomic.Load():
		// Independent accesses, each of which is atomic if that is wanted.
		done, err = f.transfer(write, p)
	case write:
		done, err = p.stream.size, f.writeAll(in, &plan, p)
	default:
		mine := requests[f.comm.Rank()]
		done, err = mine.to-mine.from, f.readAll(in, &plan, p)
		if err == nil {
			err = p.stream.decode()
		}
	}
	if _, err := agree(f.comm, in, f.failed(in, err)); err != nil {
		return 0, err
	}
	return done, nil
}

// failed is the error of a call that reads or writes; errors of other packages are the operating system's.
func (f *File) failed(in call, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*mpierr.Error); ok {
		return e
	}
	return failed(in.op(), fmt.Sprintf("%q", f.path), err)
}

// exchange is the memory that a rank needs for the rounds of a plan.
type exchange struct {
	*plan
	part
	me             int
	domain         int // this rank's, -1 if it has none
	window         window
	sent, received Layout
	send, recv     []byte
}

func (f *File) newExchange(p *plan, mine part) *exchange {
	me, ranks := f.comm.Rank(), f.comm.Size()
	return &exchange{plan: p, part: mine, me: me, domain: p.domainOf(me), sent: newLayout(ranks), received: newLayout(ranks)}
}

// own lays out the parts of this rank's stream that belong to the windows of a round: in the stream itself if that is dense,
// else one after the other.
func (x *exchange) own(l Layout, round int64) (total int) {
	clear(l.Counts)
	for i := range x.aggregators {
		rank := x.aggregator(i)
		from, to := x.requests[x.me].within(x.windowOf(i, round))
		l.Counts[rank], l.Displs[rank] = int(to-from), total
		if x.stream.dense != nil {
			l.Displs[rank] = int(from - x.position)
		}
		total += int(to - from)
	}
	return total
}

// others lays out the parts of all ranks that belong to this rank's window.
func (x *exchange) others(l Layout, from, to int64) (total int) {
	for rank := range x.requests {
		first, last := x.requests[rank].within(from, to)
		l.Counts[rank] = int(last - first)
	}
	return l.follow()
}

func (x *exchange) grow(b *[]byte, n int) []byte {
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	return (*b)[:n]
}

// writeAll writes in two phases. If an aggregator cannot write it goes on with the others, and returns the error at last.
func (f *File) writeAll(in call, p *plan, mine part) (failure error) {
	f.dirty.Store(true)
	x := f.newExchange(p, mine)
	for round := range p.rounds {
		send, total := x.stream.dense, x.own(x.sent, round)
		if send == nil {
			send = x.grow(&x.send, total)
			x.pack(send, round)
		}
		var recv []byte
		clear(x.received.Counts)
		from, to := int64(0), int64(0)
		if x.domain >= 0 {
			from, to = p.windowOf(x.domain, round)
			recv = x.grow(&x.recv, x.others(x.received, from, to))
		}
		if err := f.comm.Alltoallv(send, x.sent, recv, x.received); err != nil {
			return lost(in, err)
		}
		if len(recv) > 0 && failure == nil {
			failure = x.flush(f, from, to, recv)
		}
	}
	return failure
}

// pack copies the parts of a round from memory that is not dense.
func (x *exchange) pack(send []byte, round int64) {
	for i := range x.aggregators {
		rank := x.aggregator(i)
		if n := x.sent.Counts[rank]; n > 0 {
			at := x.sent.Displs[rank]
			from, _ := x.requests[x.me].within(x.windowOf(i, round))
			x.stream.copyTo(send[at:at+n], from-x.position)
		}
	}
}

// flush writes what the ranks have sent of a window. Where two have written the same byte the higher rank's remains.
func (x *exchange) flush(f *File, from, to int64, recv []byte) error {
	x.window.reset(from, to)
	for rank := range x.requests {
		r := &x.requests[rank]
		data := recv[x.received.Displs[rank]:][:x.received.Counts[rank]]
		if len(data) == 0 {
			continue
		}
		first, last := r.within(from, to)
		for offset, n := range r.pieces(first, last) {
			x.window.put(offset, data[:n])
			data = data[n:]
		}
	}
	for start, end := range x.window.runs() {
		if _, err := f.os.WriteAt(x.window.data[start:end], from+int64(start)); err != nil {
			return err
		}
	}
	return nil
}

// readAll reads in two phases. An aggregator that cannot read sends all the same what the others expect, whatever that is.
func (f *File) readAll(in call, p *plan, mine part) (failure error) {
	x := f.newExchange(p, mine)
	for round := range p.rounds {
		var send []byte
		clear(x.sent.Counts)
		if x.domain >= 0 {
			from, to := p.windowOf(x.domain, round)
			send = x.grow(&x.send, x.others(x.sent, from, to))
			if len(send) > 0 && failure == nil {
				failure = x.fill(in, f, from, to, send)
			}
		}
		recv, total := x.stream.dense, x.own(x.received, round)
		if recv == nil {
			recv = x.grow(&x.recv, total)
		}
		if err := f.comm.Alltoallv(send, x.sent, recv, x.received); err != nil {
			return lost(in, err)
		}
		if x.stream.dense == nil {
			x.unpack(recv, round)
		}
	}
	return failure
}

// fill reads what the ranks want of a window.
func (x *exchange) fill(in call, f *File, from, to int64, send []byte) error {
	low, high := to, from
	for rank := range x.requests {
		if r := &x.requests[rank]; x.sent.Counts[rank] > 0 {
			first, last := r.within(from, to)
			low, high = min(low, r.offset(first)), max(high, r.offset(last-1)+1)
		}
	}
	x.window.reset(low, high)
	switch n, err := readAt(f, x.window.data, low); {
	case err != nil:
		return err
	case n < high-low:
		return mpierr.Invalid(in.op(), rpi.ErrIO, "%q has become shorter while it was read: it has no byte %d", f.path, low+n)
	}
	for rank := range x.requests {
		r := &x.requests[rank]
		first, last := r.within(from, to)
		for offset, n := range r.pieces(first, last) {
			copy(send, x.window.data[offset-low:][:n])
			send = send[n:]
		}
	}
	return nil
}

// unpack copies the parts of a round to memory that is not dense.
func (x *exchange) unpack(recv []byte, round int64) {
	for i := range x.aggregators {
		rank := x.aggregator(i)
		if n := x.received.Counts[rank]; n > 0 {
			at := x.received.Displs[rank]
			from, _ := x.requests[x.me].within(x.windowOf(i, round))
			x.stream.set(from-x.position, recv[at:at+n])
		}
	}
}
