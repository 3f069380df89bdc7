package udp

import (
	"math"
	"net/netip"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	contract "github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	// messagesSent is how many messages one system call may send.
	messagesSent = 64
	// maxParts is how long a message's gather list may be (UIO_MAXIOV).
	maxParts = 1024
	// maxSegments is how many packets a GSO batch may have (UDP_MAX_SEGMENTS).
	maxSegments = 64
)

// writer is what a Send needs, made ready once. It holds the messages of one system
// call.
type writer struct {
	*native
	batch    *packet.Batch
	messages [messagesSent]unix.Mmsghdr
	names    [messagesSent]name
	controls [messagesSent]control
	spans    [messagesSent]span
	iovecs   [2 * maxParts]unix.Iovec
	joined   []*packet.Buffer // packets with too long a gather list

	count, parts int // of messages, and iovecs of them
	bytes        int
	fragment     bool // whether IP may fragment these messages

	apart    int            // packets before this one go as messages of their own
	tooBigTo netip.AddrPort // a packet was too big to it
	tooBig   int            // of so many bytes
	reports  []report
	roomBy   time.Time // when to stop waiting for room, zero if it is not waited for
}

// span tells which packets of the batch a message is.
type span struct{ first, count, bytes int }

func newWriter(n *native) *writer {
	w := &writer{native: n}
	for i := range w.messages {
		h := &w.messages[i].Hdr
		h.Name = &w.names[i][0]
		h.Control = &w.controls[i].bytes()[0]
	}
	return w
}

// begin makes the writer ready for a batch.
func (w *writer) begin(b *packet.Batch) {
	w.batch, w.apart, w.roomBy = b, 0, time.Time{}
	w.tooBigTo, w.tooBig = netip.AddrPort{}, math.MaxInt
}

// end forgets the batch and returns what to tell of it.
func (w *writer) end() []report {
	w.clear()
	reports := w.reports
	w.batch, w.reports = nil, nil
	return reports
}

// clear forgets the messages and the users' memory.
func (w *writer) clear() {
	clear(w.iovecs[:w.parts])
	for i, b := range w.joined {
		b.Release()
		w.joined[i] = nil
	}
	w.joined = w.joined[:0]
	w.count, w.parts, w.bytes = 0, 0, 0
}

// fill makes messages of the batch's packets from one on, as many as one system call
// takes, and returns the packet to go on with. Those that cannot be sent it counts
// and leaves out.
func (w *writer) fill(next int) int {
	w.clear()
	packets := w.batch.Packets()
	for next < len(packets) && w.count < messagesSent && w.parts <= maxParts {
		p := &packets[next]
		if p.Size > maxPayload(p.To.Addr()) || !p.Fragment && p.To == w.tooBigTo && p.Size >= w.tooBig {
			w.refuseTooBig(p)
			next++
			continue
		}
		if w.count > 0 && (p.Fragment || w.fragment) {
			break // a packet that IP may fragment goes alone: see flush
		}
		n := w.message(packets, next)
		if n == 0 {
			w.counters.refused.Add(1)
			n = 1
		}
		next += n
	}
	return next
}

// message makes a message of the packet at first, and those after it that can go
// with it, and returns how many that are: 0 if it cannot be sent.
func (w *writer) message(packets []packet.Packet, first int) int {
	p := &packets[first]
	i := w.count
	h := &w.messages[i].Hdr
	h.Namelen = w.names[i].put(p.To, w.ipv6)
	if h.Namelen == 0 || p.Size == 0 {
		return 0
	}
	start := w.parts
	h.Iov = &w.iovecs[start]
	if !w.add(p, 0) {
		b := join(w.pool, w.batch, p)
		w.joined = append(w.joined, b)
		w.part(b.Bytes)
	}
	s := span{first, 1, p.Size}
	if w.segmenting.Load() && first >= w.apart && !p.Fragment && !p.NoGSO {
		w.extend(&s, packets, start)
	}
	h.SetIovlen(w.parts - start)
	controls := 0
	if p.From.IsValid() && w.tellsLocal {
		controls = w.controls[i].putSource(p.From, w.ipv6)
	}
	if w.notifies && p.ECN != packet.ECT0 {
		controls = w.controls[i].putECN(controls, p.ECN, p.To.Addr().Unmap().Is4())
	}
	if s.count > 1 {
		controls = w.controls[i].putSegment(controls, p.Size)
	}
	h.SetControllen(controls)
	w.spans[i] = s
	w.count++
	w.bytes += s.bytes
	w.fragment = p.Fragment
	return s.count
}

// extend makes a GSO batch of a message: it adds the packets that follow the first: they have
// its size, save the last, which may be shorter.
func (w *writer) extend(s *span, packets []packet.Packet, start int) {
	first, limit := &packets[s.first], maxPayload(packets[s.first].To.Addr())
	for s.count < maxSegments && s.first+s.count < len(packets) {
		p := &packets[s.first+s.count]
		if p.To != first.To || p.From != first.From || p.ECN != first.ECN || p.Fragment || p.NoGSO || p.Size == 0 || p.Size > first.Size ||
			s.bytes+p.Size > limit || !w.add(p, w.parts-start) {
			return
		}
		s.count++
		s.bytes += p.Size
		if p.Size < first.Size {
			return
		}
	}
}

// add appends the parts of a packet to a gather list that has so many. It fails, and
// changes nothing, if they are too many.
func (w *writer) add(p *packet.Packet, already int) bool {
	parts := w.batch.Parts(p)
	if already+len(parts) > maxParts {
		return false
	}
	for _, b := range parts {
		w.part(b)
	}
	return true
}

func (w *writer) part(b []byte) {
	v := &w.iovecs[w.parts]
	v.Base = unsafe.SliceData(b)
	v.SetLen(len(b))
	w.parts++
}

// touch meets the fault that a call has reported.
func (w *writer) touch() {
	for _, part := range w.iovecs[:w.parts] {
		contract.Touch(unsafe.Slice(part.Base, part.Len))
	}
}

func (w *writer) refuseTooBig(p *packet.Packet) {
	w.counters.tooBig.Add(1)
	if p.To != w.tooBigTo || p.Size < w.tooBig {
		w.tooBigTo, w.tooBig = p.To, p.Size
		w.reports = append(w.reports, refusal(p.To, p.Size, routeMTU(p.To.Addr().Unmap())))
	}
}
