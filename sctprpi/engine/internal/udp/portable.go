package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// portable is a socket by means of package net: one for each local address, so that
// it is known where a datagram was sent to, and a goroutine that reads each. Packets
// are copied once each way. Whether IP fragments is the system's default.
type portable struct {
	*shared
	conns   []*net.UDPConn // of the local addresses in turn
	asked   Config
	queue   chan packet.Datagram
	closed  chan struct{}
	once    sync.Once
	readers sync.WaitGroup
}

// queueLength is how many datagrams are read ahead. What comes then waits in the
// system's buffer.
const queueLength = 256

func openPortable(s *shared, port uint16, c Config) (socket, error) {
	conns, err := listenEach(s.locals, port)
	if err != nil {
		return nil, err
	}
	p := &portable{
		shared: s, conns: conns, asked: c,
		queue:  make(chan packet.Datagram, queueLength),
		closed: make(chan struct{}),
	}
	for i, conn := range conns {
		// A system that does not grant these sizes has its own.
		_ = conn.SetReadBuffer(c.ReceiveBuffer)
		_ = conn.SetWriteBuffer(c.SendBuffer)
		var to netip.Addr
		if len(conns) > 1 {
			to = s.locals[i]
		}
		p.readers.Go(func() { p.read(conn, to) })
	}
	return p, nil
}

// listenEach binds a port of each address. If the port is for the system to pick, it
// picks it for the first, and once more if the others do not have it.
func listenEach(addrs []netip.Addr, port uint16) ([]*net.UDPConn, error) {
	const attempts = 16
	for attempt := 1; ; attempt++ {
		var conns []*net.UDPConn
		picked, err := port, error(nil)
		for _, a := range addrs {
			network := "udp4"
			if a.Is6() {
				network = "udp6"
				if a.IsUnspecified() {
					network = "udp" // IPv4 as well
				}
			}
			var conn *net.UDPConn
			if conn, err = net.ListenUDP(network, net.UDPAddrFromAddrPort(netip.AddrPortFrom(a, picked))); err != nil {
				break
			}
			conns = append(conns, conn)
			picked = portOf(conn)
		}
		if err == nil {
			return conns, nil
		}
		for _, conn := range conns {
			conn.Close()
		}
		if port != 0 || len(conns) == 0 || attempt == attempts {
			return nil, err
		}
	}
}

func portOf(c *net.UDPConn) uint16 { return c.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

// read puts what arrives into the queue until the socket is closed.
func (p *portable) read(conn *net.UDPConn, to netip.Addr) {
	scratch := make([]byte, packet.MaxSize+1)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(scratch)
		p.counters.receiveCalls.Add(1)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		// Other errors are about a datagram sent before that was not wanted
		// there, or the one read.
		if err != nil || n == 0 {
			p.counters.strays.Add(1)
			continue
		}
		buffer := p.pool.Get(n)
		copy(buffer.Bytes, scratch[:n])
		d := packet.Datagram{
			From: netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), To: to,
			Bytes: buffer.Bytes, Buffer: buffer,
		}
		select {
		case p.queue <- d:
			if f := p.onArrival.Load(); f != nil {
				(*f)()
			}
		case <-p.closed:
			buffer.Release()
			return
		}
	}
}

func (p *portable) isClosed() bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}

func (p *portable) receive(batch []packet.Datagram) (int, error) {
	if p.isClosed() {
		return 0, net.ErrClosed
	}
	for n := range batch {
		select {
		case d := <-p.queue:
			batch[n] = d
			p.counters.receivedDatagrams.Add(1)
			p.counters.receivedBytes.Add(uint64(len(d.Bytes)))
		default:
			if n == 0 {
				runtime.Gosched() // a caller that spins must not keep the readers from running
			}
			return n, nil
		}
	}
	return len(batch), nil
}

func (p *portable) rest() (ready bool) { return len(p.queue) > 0 }

func (p *portable) descriptor() int { return -1 }

func (p *portable) boundPort() uint16 { return portOf(p.conns[0]) }

func (p *portable) buffers() (receive, send int) { return p.asked.ReceiveBuffer, p.asked.SendBuffer }

func (p *portable) offloads() (segmentation, coalescing bool) { return false, false }

func (p *portable) ecn() bool { return false }

func (p *portable) close() error {
	var errs []error
	p.once.Do(func() {
		close(p.closed)
		for _, conn := range p.conns {
			if err := conn.Close(); err != nil {
				errs = append(errs, fmt.Errorf("udp: close: %w", err))
			}
		}
		p.readers.Wait()
		p.empty()
	})
	return errors.Join(errs...)
}

// empty gives up what is in the queue.
func (p *portable) empty() {
	for {
		select {
		case d := <-p.queue:
			d.Buffer.Release()
		default:
			return
		}
	}
}
