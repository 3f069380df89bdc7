package udp

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// roomTimeout is how long Send waits for room in the socket's buffer.
const roomTimeout = 100 * time.Millisecond

func (p *portable) send(b *packet.Batch) error {
	if p.isClosed() {
		return net.ErrClosed
	}
	return p.sendBy(b, time.Now().Add(roomTimeout/2))
}

// maxStalls is how often the deadline of a batch may pass while this process does not run.
const maxStalls = 8

// sendBy sends a batch. It waits for room until the deadline, and then for half of roomTimeout more: package net writes
// nothing after a deadline even if there is room, as when it passed while this process did not run.
func (p *portable) sendBy(b *packet.Batch, deadline time.Time) error {
	p.setWriteDeadline(deadline)
	packets, stalls := b.Packets(), 0
	for i := range packets {
		err := p.sendOne(b, &packets[i])
		if stalls < maxStalls && errors.Is(err, os.ErrDeadlineExceeded) {
			stalls++
			p.setWriteDeadline(time.Now().Add(roomTimeout / 2))
			err = p.sendOne(b, &packets[i])
		}
		switch {
		case errors.Is(err, net.ErrClosed):
			return net.ErrClosed
		case errors.Is(err, os.ErrDeadlineExceeded):
			p.counters.overrun.Add(uint64(len(packets) - i))
			return nil
		}
	}
	return nil
}

func (p *portable) setWriteDeadline(deadline time.Time) {
	for _, conn := range p.conns {
		_ = conn.SetWriteDeadline(deadline) // fails if closed, and so does writing
	}
}

// sendOne joins the parts of a packet and sends it. It counts what becomes of it,
// unless time is up.
func (p *portable) sendOne(b *packet.Batch, one *packet.Packet) error {
	if one.Size > maxPayload(one.To.Addr()) {
		p.tooBig(one)
		return nil
	}
	conn := p.from(one.From, one.To.Addr())
	if conn == nil || one.Size == 0 {
		p.counters.refused.Add(1)
		return nil
	}
	buffer := join(p.pool, b, one)
	defer buffer.Release()
	p.counters.sendCalls.Add(1)
	_, err := conn.WriteToUDPAddrPort(buffer.Bytes, one.To)
	switch {
	case err == nil:
		p.counters.sentDatagrams.Add(1)
		p.counters.sentBytes.Add(uint64(one.Size))
	case errors.Is(err, net.ErrClosed), errors.Is(err, os.ErrDeadlineExceeded):
	case errors.Is(err, syscall.EMSGSIZE):
		p.tooBig(one)
	default:
		p.counters.refused.Add(1)
		p.tell([]report{{to: one.To, denial: err}})
	}
	return err
}

// join copies the parts of a packet into one.
func join(pool *packet.Pool, b *packet.Batch, p *packet.Packet) *packet.Buffer {
	buffer := pool.Get(p.Size)
	n := 0
	for _, part := range b.Parts(p) {
		n += copy(buffer.Bytes[n:], part)
	}
	return buffer
}

// from returns the socket to send from, nil if there is none.
func (p *portable) from(from, to netip.Addr) *net.UDPConn {
	for i, local := range p.locals {
		anywhere := local.IsUnspecified() && local.Is6() // IPv4 as well
		switch {
		case local == from.Unmap():
		case !from.IsValid() && (local.Is4() == to.Unmap().Is4() || anywhere):
		case local.IsUnspecified() && from.IsValid(): // the system picks
		default:
			continue
		}
		return p.conns[i]
	}
	return nil
}

func (p *portable) tooBig(one *packet.Packet) {
	p.counters.tooBig.Add(1)
	p.tell([]report{refusal(one.To, one.Size, routeMTU(one.To.Addr().Unmap()))})
}
