package kernel

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/ishidawataru/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Status returns the state of an association.
func (e *endpoint) Status(id socket.AssocID) (socket.Status, error) {
	e.mu.Lock()
	a, err := e.get(id)
	if err != nil {
		e.mu.Unlock()
		return socket.Status{}, err
	}
	s := socket.Status{
		Established: a.up, Outbound: a.out, Inbound: a.in, Held: a.held,
		Queued:  a.backlogged - keptOverhead*len(a.backlog),
		Silence: a.pulse.silence(e.config.PeerTimeout),
	}
	s.BytesSent, s.BytesReceived = a.sent, a.received
	e.mu.Unlock()

	info := sctp.Status{AssocID: sctp.SCTPAssocID(id)}
	if err := ask(e, sctp.SCTP_STATUS, &info); err != nil {
		return s, e.orClosed(nil) // the event that ends it is on its way
	}
	s.PeerWindow = int(info.RWND)
	s.Outstanding = int(min(uint64(info.Unackdata)*uint64(info.FragmentationPoint), s.BytesSent))
	s.BytesSent -= uint64(s.Outstanding)
	interleaving := assocValue{Assoc: int32(id)}
	s.Interleaving = ask(e, optInterleaving, &interleaving) == nil && interleaving.Value != 0
	e.count(id, &s.Counters)
	e.paths(id, info.PrimaryPeerAddr.Address, &s)
	return s, nil
}

// What the kernel counts, 64 bits each, at the end of struct sctp_assoc_stats (linux/sctp.h).
const (
	packetsSent       = 3
	packetsReceived   = 4
	retransmitted     = 5
	duplicates        = 7
	unorderedSent     = 9
	unorderedReceived = 10
	orderedSent       = 11
	orderedReceived   = 12
	kernelCounters    = 15
)

// counters asks what the kernel has counted of an association (SCTP_GET_ASSOC_STATS).
func (e *endpoint) counters(id socket.AssocID) (counters [kernelCounters]uint64, err error) {
	b := make([]byte, 512)
	binary.NativeEndian.PutUint32(b, uint32(id))
	var n int
	err = e.using(func(fd int) (err error) {
		n, err = get(fd, optAssocStats, b)
		return err
	})
	if err == nil {
		_, err = binary.Decode(b[max(0, n-8*kernelCounters):n], binary.NativeEndian, &counters)
	}
	return counters, err
}

// count fills in what the kernel counts.
func (e *endpoint) count(id socket.AssocID, c *socket.Counters) {
	n, err := e.counters(id)
	if err != nil {
		return
	}
	c.PacketsSent, c.PacketsReceived = n[packetsSent], n[packetsReceived]
	c.Retransmissions, c.Duplicates = n[retransmitted], n[duplicates]
	c.ChunksSent = n[unorderedSent] + n[orderedSent]
	c.ChunksReceived = n[unorderedReceived] + n[orderedReceived]
}

// paths fills in the peer's addresses.
func (e *endpoint) paths(id socket.AssocID, primary storage, s *socket.Status) {
	first, _ := parseSockaddr(primary[:])
	var peers []netip.AddrPort
	_ = e.using(func(fd int) (err error) {
		peers, err = addrList(fd, sctp.SCTP_GET_PEER_ADDRS, int32(id))
		return err
	})
	for _, peer := range peers {
		p := socket.PathStatus{Addr: e.known(int32(id), peer), Primary: peer == first}
		info := sctp.PeerAddrinfo{AssocID: sctp.SCTPAssocID(id), Address: newStorage(peer)}
		if ask(e, sctp.SCTP_GET_PEER_ADDR_INFO, &info) == nil {
			p.Confirmed = info.State != pathUnconfirmed
			p.Up = p.Confirmed && info.State != pathInactive
			p.MTU, p.Window = int(info.MTU), int(info.CWND)
			p.SRTT = time.Duration(info.SRTT) * time.Millisecond
			p.RTO = time.Duration(info.RTO) * time.Millisecond
		}
		s.Paths = append(s.Paths, p)
	}
}

// addrList gets the addresses of an end of an association, or of the socket.
func addrList(fd, option int, assoc int32) ([]netip.AddrPort, error) {
	const header = 8
	b := make([]byte, header+maxPeerAddrs*28)
	binary.NativeEndian.PutUint32(b, uint32(assoc))
	if _, err := get(fd, option, b); err != nil {
		return nil, err
	}
	count := binary.NativeEndian.Uint32(b[4:])
	b = b[header:]
	var list []netip.AddrPort
	for range count {
		addr, n := parseSockaddr(b)
		if n == 0 {
			break
		}
		list, b = append(list, addr), b[n:]
	}
	return list, nil
}
