// Package simnet is a simulated datagram network with a virtual clock, for
// tests of protocol engines that do no I/O themselves. A run is determined by
// its seed: the same program with the same seed sees the same packets at the
// same times, and an hour of simulated time takes as long as the events in it
// need.
package simnet

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"
)

// Node is a protocol engine at one or more addresses. The network calls its
// methods one at a time; they may call Network.Send.
type Node interface {
	// Receive takes a datagram, whose memory it may keep, at time now. marked says that a link has marked it.
	Receive(now time.Duration, from, to netip.AddrPort, datagram []byte, marked bool)
	// Deadline is when Expire wants to be called; false: never. It is asked
	// for after every call to the node and after every function run by At.
	Deadline() (time.Duration, bool)
	// Expire is called at the deadline or as soon as possible after it.
	Expire(now time.Duration)
}

// Network joins nodes. Times are since the beginning of the simulation. It is
// not for concurrent use.
type Network struct {
	now    time.Duration
	rng    *rand.Rand
	nodes  []*attached
	routes map[netip.AddrPort]*attached
	links  map[route]*link
	queue  events
	count  uint64 // of events ever queued: breaks ties in time
	trace  trace
}

type route Way

// attached is a node with the deadline that it asked for last.
type attached struct {
	node     Node
	deadline time.Duration
	armed    bool
}

// New returns an empty network. Everything random in it follows from seed.
func New(seed uint64) *Network {
	return &Network{
		rng:    rand.New(rand.NewPCG(seed, 0x73696d6e6574)),
		routes: make(map[netip.AddrPort]*attached),
		links:  make(map[route]*link),
	}
}

// Now is the time.
func (n *Network) Now() time.Duration { return n.now }

// Attach puts a node at its addresses.
func (n *Network) Attach(node Node, at ...netip.AddrPort) {
	a := &attached{node: node}
	n.nodes = append(n.nodes, a)
	for _, addr := range at {
		if _, taken := n.routes[addr]; taken {
			panic(fmt.Sprintf("simnet: two nodes at %v", addr))
		}
		n.routes[addr] = a
	}
}

// Link sets the conditions of the way from one address to another. Datagrams
// under way are not affected. Ways whose conditions are not set deliver at
// once.
func (n *Network) Link(from, to netip.Addr, c Conditions) {
	n.link(route{from, to}).conditions = c
}

// Duplex sets the conditions of both ways between two addresses.
func (n *Network) Duplex(a, b netip.Addr, c Conditions) {
	n.Link(a, b, c)
	n.Link(b, a, c)
}

// Uplink sets the conditions of the one way that a host's datagrams take to all of some others: they share its rate. It has had none of
// its own to them before.
func (n *Network) Uplink(from netip.Addr, to []netip.Addr, c Conditions) {
	ways := make([]Way, len(to))
	for i, other := range to {
		ways[i] = Way{from, other}
	}
	n.Bottleneck(c, ways...)
}

// Way is a way from one address to another.
type Way struct{ From, To netip.Addr }

// Bottleneck has several ways share one link. What is under way is not affected.
func (n *Network) Bottleneck(c Conditions, ways ...Way) {
	shared := &link{conditions: c}
	for _, w := range ways {
		n.links[route(w)] = shared
	}
}

func (n *Network) link(r route) *link {
	l := n.links[r]
	if l == nil {
		l = new(link)
		n.links[r] = l
	}
	return l
}

// Send sends a copy of a datagram, made of parts, on its way.
func (n *Network) Send(from, to netip.AddrPort, parts ...[]byte) {
	n.SendAs(Kind{}, from, to, parts...)
}

// Kind says what may be done to a datagram.
type Kind struct {
	// Fragment: it may be fragmented. Its fragments fare alike.
	Fragment bool
	// Markable: links may mark it instead of dropping it.
	Markable bool
}

// SendAs is Send for a datagram of a kind.
func (n *Network) SendAs(kind Kind, from, to netip.AddrPort, parts ...[]byte) {
	var datagram []byte
	for _, p := range parts {
		datagram = append(datagram, p...)
	}
	l := n.link(route{from.Addr(), to.Addr()})
	l.carry(n, packet{from: from, to: to, bytes: datagram, kind: kind})
}

// At has f called at a time, or now if that is past.
func (n *Network) At(t time.Duration, f func()) {
	n.push(event{at: max(t, n.now), call: f})
}

// Run advances the time until done reports true, and reports whether it did:
// false means that until has been reached, or that nothing will ever happen
// again.
func (n *Network) Run(until time.Duration, done func() bool) bool {
	for {
		n.rearm()
		if done() {
			return true
		}
		at, node := n.next()
		if at < 0 || at > until {
			return false
		}
		n.now = max(n.now, at)
		if node != nil {
			node.armed = false
			node.node.Expire(n.now)
			continue
		}
		n.dispatch(heap.Pop(&n.queue).(event))
	}
}

// Advance has everything happen that is due by a time, which then is the time.
func (n *Network) Advance(to time.Duration) {
	n.Run(to, func() bool { return false })
	n.now = max(n.now, to)
}

// Next is when the next thing happens; false if nothing ever will.
func (n *Network) Next() (time.Duration, bool) {
	n.rearm()
	at, _ := n.next()
	return at, at >= 0
}

// Idle reports whether nothing will happen any more: no datagram is under
// way, nothing is scheduled, no node has a deadline.
func (n *Network) Idle() bool {
	n.rearm()
	at, _ := n.next()
	return at < 0
}

// rearm asks the nodes for their deadlines.
func (n *Network) rearm() {
	for _, a := range n.nodes {
		a.deadline, a.armed = a.node.Deadline()
	}
}

// next is when the next thing happens, and the node whose deadline it is, nil
// if it is an event of the queue; negative if nothing ever will. Events come
// before deadlines at the same time.
func (n *Network) next() (time.Duration, *attached) {
	at, node := time.Duration(-1), (*attached)(nil)
	if len(n.queue) > 0 {
		at = n.queue[0].at
	}
	for _, a := range n.nodes {
		if a.armed && (at < 0 || max(a.deadline, n.now) < at) {
			at, node = max(a.deadline, n.now), a
		}
	}
	return at, node
}

func (n *Network) dispatch(e event) {
	if e.call != nil {
		e.call()
		return
	}
	a, there := n.routes[e.packet.to]
	if !there {
		n.trace.add(n.now, "no endpoint", e.packet)
		return
	}
	n.trace.add(n.now, "arrives", e.packet)
	a.node.Receive(n.now, e.packet.from, e.packet.to, e.packet.bytes, e.packet.marked)
}

// packet is a datagram under way.
type packet struct {
	from, to netip.AddrPort
	bytes    []byte
	kind     Kind
	marked   bool
}

// event is something that happens at a time: a packet arrives or a function
// is called.
type event struct {
	at     time.Duration
	order  uint64
	packet packet
	call   func()
}

func (n *Network) push(e event) {
	n.count++
	e.order = n.count
	heap.Push(&n.queue, e)
}

// events is a heap by time, then by the order of queueing.
type events []event

func (q events) Len() int { return len(q) }
func (q events) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].order < q[j].order
}
func (q events) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *events) Push(e any)   { *q = append(*q, e.(event)) }
func (q *events) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = event{}
	*q = (*q)[:last]
	return e
}
