package endpoint

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// host is an Endpoint on a simulated network.
type host struct {
	*Endpoint
	net    *simnet.Network
	addrs  []netip.AddrPort
	pool   packet.Pool
	batch  packet.Batch
	events [8]socket.Event
	// on is what happens to events; nil leaves them in the Endpoint. The memory
	// of a Data event is released afterwards.
	on func(*socket.Event)
	// filter, if set, sees each packet that is sent and may drop it.
	filter func(b []byte) bool
	// sent, if set, sees each packet that is sent.
	sent func(p *packet.Packet, b []byte)
	// blind: it does not see marks.
	blind bool
	// received, if set, is called after each packet that the Endpoint has received.
	received func()
	// route is the MTU of the local route.
	route int
	// stopped: the process does not run; waiting is what has arrived meanwhile.
	stopped bool
	waiting []func()
}

const udpPort = 9899

// newHost puts an Endpoint at IP addresses.
func newHost(t testing.TB, n *simnet.Network, port uint16, c socket.Config, addrs ...string) *host {
	h := &host{net: n, route: 1500}
	config := Config{
		Config: c, Port: port, Pool: &h.pool,
		RouteMTU: func(netip.Addr) int { return h.route },
	}
	for _, a := range addrs {
		addr := netip.MustParseAddr(a)
		h.addrs = append(h.addrs, netip.AddrPortFrom(addr, udpPort))
		config.Addrs = append(config.Addrs, addr)
		copy(config.Seed[:], a)
	}
	ep, err := New(config)
	require.NoError(t, err)
	h.Endpoint = ep
	n.Attach(h, h.addrs...)
	return h
}

// addr returns what others Connect to.
func (h *host) addr() (addrs []socket.Addr) {
	for _, a := range h.addrs {
		addrs = append(addrs, socket.Addr{IP: a.Addr(), Port: h.host.Port, UDP: a.Port()})
	}
	return addrs
}

// stop has the host's process be stopped for a while: it handles no timers, and packets wait.
// When it goes on it handles its timers first.
func (h *host) stop(d time.Duration) {
	h.stopped = true
	h.net.At(h.net.Now()+d, func() {
		h.stopped = false
		h.Expire(h.net.Now())
		waiting := h.waiting
		h.waiting = nil
		for _, receive := range waiting {
			receive()
		}
	})
}

// Deadline is simnet.Node's.
func (h *host) Deadline() (time.Duration, bool) {
	at, runs := h.Endpoint.Deadline()
	return at, runs && !h.stopped
}

// Receive is simnet.Node's.
func (h *host) Receive(now time.Duration, from, to netip.AddrPort, datagram []byte, marked bool) {
	if h.stopped {
		h.waiting = append(h.waiting, func() { h.Receive(h.net.Now(), from, to, datagram, marked) })
		return
	}
	b := h.pool.Get(max(len(datagram), 1))
	d := packet.Datagram{From: from, To: to.Addr(), Bytes: b.Bytes[:copy(b.Bytes, datagram)], Buffer: b}
	if marked && !h.blind {
		d.ECN = packet.CE
	}
	if h.Checked(d.Bytes) {
		h.Endpoint.Receive(now, &d)
		if h.received != nil {
			h.received()
		}
	} else {
		h.Bad()
	}
	b.Release()
	h.run(now)
}

// Expire is simnet.Node's.
func (h *host) Expire(now time.Duration) {
	h.Endpoint.Expire(now)
	h.run(now)
}

// run polls events and sends packets until there are neither.
func (h *host) run(now time.Duration) {
	for {
		h.Collect()
		got := h.poll()
		more := h.Next(now, &h.batch, 64, 1<<20)
		sent := h.batch.Len()
		h.sendBatch()
		if got == 0 && sent == 0 && !more {
			return
		}
	}
}

// sendBatch sends the packets of the batch.
func (h *host) sendBatch() {
	h.batch.Seal()
	for i := range h.batch.Packets() {
		h.send(&h.batch.Packets()[i])
	}
	h.batch.Reset()
}

func (h *host) send(p *packet.Packet) {
	from := h.addrs[0]
	for _, a := range h.addrs {
		if a.Addr() == p.From || !p.From.IsValid() && sameNet(a.Addr(), p.To.Addr()) {
			from = a
			break
		}
	}
	parts := h.batch.Parts(p)
	if h.filter != nil || h.sent != nil {
		b := slices.Concat(parts...)
		if h.sent != nil {
			h.sent(p, b)
		}
		if h.filter != nil && !h.filter(b) {
			return
		}
	}
	h.net.SendAs(simnet.Kind{Fragment: p.Fragment, Markable: p.ECN == packet.ECT0}, from, p.To, parts...)
}

// sameNet reports whether two addresses are of one /24, as a host with an interface
// in each chooses what to send from.
func sameNet(a, b netip.Addr) bool {
	p, err := a.Prefix(24)
	return err == nil && p.Contains(b)
}

func (h *host) poll() int {
	if h.on == nil {
		return 0
	}
	n := h.Poll(h.events[:])
	for i := range h.events[:n] {
		h.on(&h.events[i])
		h.events[i].Release()
	}
	return n
}

// do has something done at this host now, and what follows from it.
func (h *host) do(f func(now time.Duration)) {
	f(h.net.Now())
	h.run(h.net.Now())
}

// describe puts a packet into words, for traces.
func describe(b []byte) string {
	p, err := wire.ParsePacket(b)
	if err != nil {
		return err.Error()
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%d B tag %08x", len(b), p.Tag)
	for c, err := range p.Chunks() {
		if err != nil {
			fmt.Fprintf(&s, " [%v]", err)
			break
		}
		s.WriteString(" [" + c.Type.String())
		switch c.Type {
		case wire.TypeData:
			d, _ := wire.ParseData(c)
			fmt.Fprintf(&s, " %d stream %d/%d flags %x %d B", d.TSN, d.Stream, d.SSN, d.Flags, len(d.Payload))
		case wire.TypeIData:
			d, _ := wire.ParseIData(c)
			fmt.Fprintf(&s, " %d stream %d/%d.%d flags %x %d B", d.TSN, d.Stream, d.MID, d.FSN, d.Flags, len(d.Payload))
		case wire.TypeSACK:
			k, _ := wire.ParseSACK(c)
			fmt.Fprintf(&s, " %d window %d gaps %d dups %d", k.CumulativeTSN, k.Window, k.GapBlocks.Len(), k.Duplicates.Len())
		}
		s.WriteByte(']')
	}
	return s.String()
}
