package udp

import (
	"net"
	"net/netip"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// messagesReceived is how many messages one system call may receive. Each has a
// buffer of 64 KiB, as a GRO batch may be that long.
const messagesReceived = 8

// reader is what receiving needs, made ready once.
type reader struct {
	messages [messagesReceived]unix.Mmsghdr
	iovecs   [messagesReceived]unix.Iovec
	names    [messagesReceived]name
	controls [messagesReceived]control
	buffers  [messagesReceived]*packet.Buffer // nil if handed out

	message groMessage // the message being handed out
	next    int        // the one after it
	got     int        // how many there are
	want    int        // how many to ask for next: see read

	kept   atomic.Bool // there is more to hand out
	rested atomic.Bool // the error queue has not been looked at since a rest
}

func (r *reader) init() {
	for i := range r.messages {
		h := &r.messages[i].Hdr
		h.Name = &r.names[i][0]
		h.Control = &r.controls[i].bytes()[0]
		h.Iov = &r.iovecs[i]
		h.SetIovlen(1)
		r.reset(i)
	}
}

// reset makes a message ready to be received into.
func (r *reader) reset(i int) {
	h := &r.messages[i].Hdr
	h.Namelen, h.Flags = uint32(len(r.names[i])), 0
	h.SetControllen(len(r.controls[i].bytes()))
}

// supply replaces the buffers that were handed out of the first n messages.
func (r *reader) supply(n int, pool *packet.Pool) {
	for i := range r.messages[:n] {
		if r.buffers[i] == nil {
			b := pool.Get(packet.MaxSize + 1)
			r.buffers[i] = b
			r.iovecs[i].Base = unsafe.SliceData(b.Bytes)
			r.iovecs[i].SetLen(len(b.Bytes))
		}
	}
}

// drop gives up all buffers.
func (r *reader) drop() {
	r.message.drop()
	for i, b := range r.buffers {
		if b != nil {
			b.Release()
			r.buffers[i] = nil
		}
	}
	r.next, r.got = 0, 0
}

func (n *native) receive(batch []packet.Datagram) (int, error) {
	r := &n.reader
	var reports []report
	n.use.RLock()
	if n.closed {
		n.use.RUnlock()
		return 0, net.ErrClosed
	}
	if !r.kept.Load() && len(batch) > 0 {
		r.next = 0
		r.got, reports = n.read(min(len(batch), messagesReceived), reports)
	}
	count := 0
	if r.got > 0 {
		count = n.handOut(batch)
	} else if r.rested.Load() { // perhaps an error report has ended the rest
		r.rested.Store(false)
		reports = n.drainErrors(reports)
	}
	n.use.RUnlock()
	n.tell(reports)
	return count, nil
}

// read receives up to limit messages. When it has found none it asks for one next time, and
// whenever it gets all that it has asked for it asks for twice as many next time. If it asked for
// more than there are, the kernel would look for the missing one in vain, and a lone message would
// come later.
func (n *native) read(limit int, reports []report) (got int, _ []report) {
	r := &n.reader
	limit = min(limit, max(r.want, 1))
	r.supply(limit, n.pool)
	got, reports = n.attempt(limit, reports)
	switch got {
	case 0:
		r.want = 1
	case limit:
		r.want = min(2*limit, messagesReceived)
	}
	return got, reports
}

// attempt receives up to limit messages. An error is mostly about a datagram sent before, and does
// not tell whether there is something to receive. So it tries again, but not for ever: more errors
// may arrive meanwhile.
func (n *native) attempt(limit int, reports []report) (got int, _ []report) {
	for range 4 {
		n.counters.receiveCalls.Add(1)
		got, errno := n.calls.recv(n.fd, n.reader.messages[:limit])
		switch errno {
		case 0:
			return got, reports
		case unix.EAGAIN:
			return 0, reports
		case unix.EINTR:
		default:
			reports = n.drainErrors(reports)
		}
	}
	return 0, reports
}

// handOut fills in batch from the messages received.
func (n *native) handOut(batch []packet.Datagram) int {
	r := &n.reader
	count, bytes := 0, 0
	for {
		before := len(r.message.rest)
		count += r.message.split(batch[count:])
		bytes += before - len(r.message.rest)
		if len(r.message.rest) > 0 || r.next == r.got {
			break
		}
		n.startMessage(r.next)
		r.next++
	}
	n.counters.receivedDatagrams.Add(uint64(count))
	n.counters.receivedBytes.Add(uint64(bytes))
	if kept := len(r.message.rest) > 0; kept != r.kept.Load() {
		r.kept.Store(kept)
	}
	if !r.kept.Load() {
		r.got = 0
	}
	return count
}

// startMessage prepares a received message, and its buffer, to be split. It drops a message that is
// not wanted.
func (n *native) startMessage(i int) {
	r := &n.reader
	m := &r.messages[i]
	length := int(m.Len)
	size, to, ecn := parse(r.controls[i].bytes()[:m.Hdr.Controllen])
	addr, wanted := n.local(to)
	cut := m.Hdr.Flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0
	if !wanted || cut || length == 0 {
		n.counters.strays.Add(1)
		r.reset(i)
		return
	}
	if size <= 0 {
		size = length
	}
	r.message = groMessage{from: r.names[i].get(), to: addr, rest: r.buffers[i].Bytes[:length], size: size, ecn: ecn, buffer: r.buffers[i]}
	if segments := r.message.segments(); segments > 1 {
		n.counters.receivedCoalesced.Add(1)
		r.message.buffer.Retain(segments - 1)
	}
	r.buffers[i] = nil
	r.reset(i)
}

// local returns the local address that a datagram was sent to, as Datagram.To has it,
// and whether it is one of the socket's.
func (n *native) local(raw [16]byte) (addr netip.Addr, wanted bool) {
	if !n.tellsLocal {
		return netip.Addr{}, true
	}
	for i := range n.own {
		if n.own[i].raw == raw {
			return n.own[i].addr, true
		}
	}
	// The unspecified address stands for all.
	return netip.AddrFrom16(raw).Unmap(), n.own[0].addr.IsUnspecified()
}
