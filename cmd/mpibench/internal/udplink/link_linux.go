package udplink

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
)

const (
	// trainCharge is what a train takes of the receive buffer, with the
	// kernel's bookkeeping, in bytes.
	trainCharge = 96 << 10
	// maxWindow is how many trains may be under way. More do not help, but
	// fall out of the processor's cache.
	maxWindow = 16
)

// Listen implements link.Transport.
func (Transport) Listen(o link.Options, announce func(string)) (link.Link, error) {
	s, err := open()
	if err != nil {
		return nil, err
	}
	announce(s.addr.String())
	if _, _, err := s.receive(); err != nil { // the greeting
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
	if err := l.acknowledge(); err != nil { // greets
		return nil, errors.Join(err, s.close())
	}
	return l, nil
}

// udp is one end. Sequence numbers count packets from 0.
type udp struct {
	*socket
	checksum bool
	window   uint32 // packets
	train    *train
	message  []byte

	sent, acknowledged uint32 // packets sent, and those of which the peer has said so
	received, told     uint32 // packets received, and those of which the peer has been told
}

func newUDP(s *socket, o link.Options) *udp {
	// Half of the buffer, since the kernel takes its time to give memory back.
	trains := min(max(s.buffered/2/trainCharge, 1), maxWindow)
	return &udp{socket: s, checksum: !o.NoChecksum, window: uint32(trains * trainPackets), train: newTrain()}
}

func (l *udp) Send(size, count int) error {
	if len(l.message) < size {
		l.message = make([]byte, size)
	}
	rest := l.message[:size]
	for count > 0 {
		for l.window-(l.sent-l.acknowledged) < trainPackets {
			if err := l.credit(); err != nil {
				return err
			}
		}
		l.train.reset()
		for l.train.packets < trainPackets && count > 0 {
			l.train.begin(l.sent, l.received)
			for full := false; !full && count > 0; {
				if rest, full = l.train.add(rest); len(rest) == 0 {
					rest = l.message[:size]
					count--
				}
			}
			l.train.end(l.checksum)
			l.sent++
		}
		l.told = l.received
		if err := l.socket.send(l.train.parts, l.train.packets); err != nil {
			return err
		}
	}
	return nil
}

// credit waits for an acknowledgement.
func (l *udp) credit() error {
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

// acknowledge tells the peer what has been received.
func (l *udp) acknowledge() error {
	l.train.reset()
	l.train.begin(l.sent, l.received)
	l.train.end(l.checksum)
	l.told = l.received
	return l.socket.send(l.train.parts, l.train.packets)
}

func (l *udp) Receive(size, count int) error {
	for have := 0; count > 0; { // have bytes of the message at hand
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
				return fmt.Errorf("packet %d has come in place of packet %d: the system has lost it", p.sequence, l.received)
			}
			l.received++
			ended, err := count1(&p, &have, size)
			if err != nil {
				return err
			}
			count -= ended
		}
		if l.received-l.told >= l.window/4 {
			if err := l.acknowledge(); err != nil {
				return err
			}
		}
	}
	return nil
}

// count1 returns how many messages end in a packet.
func count1(p *packet, have *int, size int) (ended int, err error) {
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
			return ended, fmt.Errorf("a message of %d bytes has come, not of %d", *have, size)
		}
		*have = 0
		ended++
	}
}

func (l *udp) Close() error { return l.socket.close() }
