package udplink

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

const (
	// batchCharge is how many bytes of the receive buffer a batch takes, with the kernel's
	// overhead.
	batchCharge = 96 << 10
	// maxWindow bounds the batches in flight. More do not help, and exceed the processor's
	// cache.
	maxWindow = 16
)

// Listen implements link.Transport.
func (Transport) Listen(o link.Options, announce func(string)) (link.Link, error) {
	s, err := open()
	if err != nil {
		return nil, err
	}
	announce(s.addr.String())
	if _, _, err := s.receive(); err != nil { // the first packet of Dial
		return nil, errors.Join(err, s.close())
	}
	s.targetSource()
	return newUDP(s, o), nil
}

// Dial implements link.Transport.
func (Transport) Dial(o link.Options, addr string) (link.Link, error) {
	peer, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	s, err := open()
	if err != nil {
		return nil, err
	}
	s.target(peer)
	l := newUDP(s, o)
	if err := l.acknowledge(); err != nil { // tells the other end our address
		return nil, errors.Join(err, s.close())
	}
	return l, nil
}

// udp is one end. Sequence numbers count packets, from 0.
type udp struct {
	*socket
	checksum bool
	window   uint32 // packets
	batch    *batch
	message  []byte

	sent, acknowledged uint32 // packets sent, and how many of them the peer has acknowledged
	received, reported uint32 // packets received, and how many of them we have acknowledged

	arrived int // messages that Receive has not returned for
	have    int // bytes of the message that is arriving
}

func newUDP(s *socket, o link.Options) *udp {
	// Half of the buffer, as the kernel frees its memory with a delay.
	batches := min(max(s.buffered/2/batchCharge, 1), maxWindow)
	return &udp{socket: s, checksum: !o.NoChecksum, window: uint32(batches * batchPackets), batch: newBatch()}
}

func (l *udp) Send(size, count int) error {
	if len(l.message) < size {
		l.message = make([]byte, size)
	}
	rest := l.message[:size]
	for count > 0 {
		for l.window-(l.sent-l.acknowledged) < batchPackets {
			if err := l.awaitAcknowledgement(); err != nil {
				return err
			}
		}
		l.batch.reset()
		for l.batch.packets < batchPackets && count > 0 {
			l.batch.begin(l.sent, l.received)
			for full := false; !full && count > 0; {
				if rest, full = l.batch.add(rest); len(rest) == 0 {
					rest = l.message[:size]
					count--
				}
			}
			l.batch.end(l.checksum)
			l.sent++
		}
		l.reported = l.received
		if err := l.socket.send(l.batch.parts, l.batch.packets); err != nil {
			return err
		}
	}
	return nil
}

// awaitAcknowledgement receives an acknowledgement.
func (l *udp) awaitAcknowledgement() error {
	b, _, err := l.receive()
	if err != nil {
		return err
	}
	p, err := parse(b, l.checksum)
	if err == nil && len(p.records) > 0 {
		err = errors.New("both ends send at the same time")
	}
	l.acknowledged = p.acknowledged
	return err
}

// acknowledge tells the peer how many packets have arrived.
func (l *udp) acknowledge() error {
	l.batch.reset()
	l.batch.begin(l.sent, l.received)
	l.batch.end(l.checksum)
	l.reported = l.received
	return l.socket.send(l.batch.parts, l.batch.packets)
}

func (l *udp) Receive(size, count int) error {
	for l.arrived < count {
		b, segment, err := l.receive()
		if err != nil {
			return err
		}
		for ; len(b) > 0; b = b[min(segment, len(b)):] {
			p, err := parse(b[:min(segment, len(b))], l.checksum)
			if err != nil {
				return err
			}
			l.acknowledged = p.acknowledged
			if len(p.records) == 0 {
				continue
			}
			if p.sequence != l.received {
				return fmt.Errorf("packet %d has arrived instead of packet %d, which the system has lost", p.sequence, l.received)
			}
			l.received++
			ended, err := countEnds(&p, &l.have, size)
			if err != nil {
				return err
			}
			l.arrived += ended
		}
		if l.received-l.reported >= l.window/4 {
			if err := l.acknowledge(); err != nil {
				return err
			}
		}
	}
	l.arrived -= count
	return nil
}

// countEnds returns how many messages end in a packet.
func countEnds(p *packet, have *int, size int) (ended int, err error) {
	for {
		piece, end, ok, err := p.next()
		if err != nil || !ok {
			return ended, err
		}
		*have += len(piece)
		if !end {
			continue
		}
		if *have != size {
			return ended, fmt.Errorf("a message of %d bytes has arrived, not of %d", *have, size)
		}
		*have = 0
		ended++
	}
}

func (l *udp) Close() error { return l.socket.close() }
