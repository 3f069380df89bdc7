package endpoint

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// direct are two Endpoints that hand each other their packets, without a network and
// without any allocation of the test's own once it has done so before.
type direct struct {
	t    testing.TB
	now  time.Duration
	ends [2]directEnd
}

type directEnd struct {
	*Endpoint
	addr   netip.AddrPort
	pool   packet.Pool
	batch  packet.Batch
	inbox  []packet.Datagram
	events [16]socket.Event
	on     func(*socket.Event)
	assoc  socket.AssocID // of the first association
}

// newDirect returns two ends with an association between them, all of whose timers that
// belong to the set-up have run out.
func newDirect(t testing.TB, c socket.Config, mtu int) *direct {
	d := &direct{t: t}
	for i := range d.ends {
		end := &d.ends[i]
		end.addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), udpPort)
		end.on = func(e *socket.Event) {
			if e.Kind == socket.Up {
				end.assoc = e.Assoc
			}
		}
		ep, err := New(Config{
			Config: c, Port: uint16(1000 + i), Seed: [32]byte{byte(i)}, Pool: &end.pool,
			RouteMTU: func(netip.Addr) int { return mtu },
		})
		require.NoError(t, err)
		end.Endpoint = ep
	}
	to := socket.Addr{IP: d.ends[1].addr.Addr(), Port: 1001, UDP: udpPort}
	_, err := d.ends[0].Connect(d.now, to)
	require.NoError(t, err)
	d.settle(10 * time.Second)
	require.NotZero(t, d.ends[0].assoc)
	require.NotZero(t, d.ends[1].assoc)
	return d
}

// settle hands packets to and fro, each 10 µs on the way, and lets time pass.
func (d *direct) settle(passes time.Duration) {
	for end := d.now + passes; ; {
		d.exchange()
		next := end
		for i := range d.ends {
			if at, runs := d.ends[i].Deadline(); runs {
				next = min(next, at)
			}
		}
		if d.now = max(d.now, next); d.now >= end {
			return
		}
		for i := range d.ends {
			d.ends[i].Expire(d.now)
		}
	}
}

// exchange hands packets to and fro until there are none.
func (d *direct) exchange() (packets int) {
	for {
		sent := d.flush(0) + d.flush(1)
		if sent == 0 {
			return packets
		}
		packets += sent
		d.now += 10 * time.Microsecond
		d.ends[0].receive(d.now)
		d.ends[1].receive(d.now)
	}
}

// flush puts what an end has to send into the other's inbox and returns how many.
func (d *direct) flush(i int) (sent int) {
	from, to := &d.ends[i], &d.ends[1-i]
	for more := true; more; {
		from.Collect()
		from.poll()
		more = from.Next(d.now, &from.batch, 64, 1<<20)
		sent += from.batch.Len()
		from.batch.Seal()
		packets := from.batch.Packets()
		for n := range packets {
			buffer := to.pool.Get(packets[n].Size)
			at := 0
			for _, part := range from.batch.Parts(&packets[n]) {
				at += copy(buffer.Bytes[at:], part)
			}
			to.inbox = append(to.inbox, packet.Datagram{From: from.addr, To: to.addr.Addr(), Bytes: buffer.Bytes, Buffer: buffer})
		}
		from.batch.Reset()
	}
	return sent
}

// receive takes what is in the inbox, and reads events.
func (e *directEnd) receive(now time.Duration) {
	for i := range e.inbox {
		e.Receive(now, &e.inbox[i])
		e.inbox[i].Buffer.Release()
	}
	e.inbox = e.inbox[:0]
	e.poll()
}

func (e *directEnd) poll() {
	for n := e.Poll(e.events[:]); n > 0; n = e.Poll(e.events[:]) {
		for i := range e.events[:n] {
			e.on(&e.events[i])
			e.events[i].Release()
		}
	}
}
