package udp

import "sync/atomic"

// Stats counts what a Conn has done since Listen.
type Stats struct {
	// SendCalls and ReceiveCalls are system calls, those included that moved
	// nothing.
	SendCalls, ReceiveCalls uint64
	// Datagrams and their bytes of UDP payload.
	SentDatagrams, SentBytes         uint64
	ReceivedDatagrams, ReceivedBytes uint64
	// Messages of several datagrams: UDP_SEGMENT (GSO) and UDP_GRO.
	SentSegmented, ReceivedCoalesced uint64
	// Overrun counts datagrams dropped because there was no room to send them.
	Overrun uint64
	// Refused counts datagrams that the system refused to send for other
	// reasons: no route, a firewall, a From that is no address of the socket.
	Refused uint64
	// TooBig counts datagrams not sent because they do not fit the route's MTU
	// or a UDP datagram.
	TooBig uint64
	// Strays counts messages received and dropped: for another local address,
	// empty, or cut short.
	Strays uint64
	// Segmentation and Coalescing tell whether UDP_SEGMENT and UDP_GRO are in use.
	Segmentation, Coalescing bool
}

type counters struct {
	sendCalls, receiveCalls          atomic.Uint64
	sentDatagrams, sentBytes         atomic.Uint64
	receivedDatagrams, receivedBytes atomic.Uint64
	sentSegmented, receivedCoalesced atomic.Uint64
	overrun, refused, tooBig, strays atomic.Uint64
}

// Stats returns the counts.
func (c *Conn) Stats() Stats {
	n := &c.counters
	s := Stats{
		SendCalls: n.sendCalls.Load(), ReceiveCalls: n.receiveCalls.Load(),
		SentDatagrams: n.sentDatagrams.Load(), SentBytes: n.sentBytes.Load(),
		ReceivedDatagrams: n.receivedDatagrams.Load(), ReceivedBytes: n.receivedBytes.Load(),
		SentSegmented: n.sentSegmented.Load(), ReceivedCoalesced: n.receivedCoalesced.Load(),
		Overrun: n.overrun.Load(), Refused: n.refused.Load(), TooBig: n.tooBig.Load(), Strays: n.strays.Load(),
	}
	s.Segmentation, s.Coalescing = c.offloads()
	return s
}
