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
		Queued: a.backlogged - keptOverhead*len(a.backlog),
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

// count fills in what the kernel counts (SCTP_GET_ASSOC_STATS).
func (e *endpoint) count(id socket.AssocID, c *socket.Counters) {
	const counters = 15 // at the end of the struct, 64 bits each
	b := make([]byte, 512)
	binary.NativeEndian.PutUint32(b, uint32(id))
	var n int
	err := e.using(func(fd int) (err error) {
		n, err = get(fd, optAssocStats, b)
		return err
	})
	if err != nil || n < 8*counters {
		return
	}
	b = b[n-8*counters : n]
	at := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	c.PacketsSent, c.PacketsReceived = at(3), at(4)
	c.Retransmissions, c.Duplicates = at(5), at(7)
	c.ChunksSent = at(9) + at(11)
	c.ChunksReceived = at(10) + at(12)
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
