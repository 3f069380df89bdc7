package cookie

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// A cookie is a header, which says how to read the rest, a State in network byte
// order, fields of fixed size first, and a MAC of all that comes before it.
// Addresses have their length before them, which tells IPv4 from IPv6. The pool of
// the peer's StreamLimit comes last, if there is one, in the place of an address.
const (
	version    = 1
	headerSize = 2 // version, generation of the key
	fixedSize  = 59
	addrSize   = 1 + 16
	zoneSize   = 15
	poolSize   = 8

	// MaxSize is how long a cookie can be, in bytes. With one IPv4 address on
	// each side it takes 105.
	MaxSize = headerSize + fixedSize + 2*(addrSize+zoneSize) + 2 + MaxAddrs*addrSize + macSize
)

func appendState(b []byte, st *State) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(st.Created))
	b = binary.BigEndian.AppendUint64(b, uint64(st.Life))
	b = binary.BigEndian.AppendUint32(b, uint32(st.LocalTag))
	b = binary.BigEndian.AppendUint32(b, uint32(st.PeerTag))
	b = binary.BigEndian.AppendUint32(b, uint32(st.TieLocal))
	b = binary.BigEndian.AppendUint32(b, uint32(st.TiePeer))
	b = binary.BigEndian.AppendUint32(b, uint32(st.LocalTSN))
	b = binary.BigEndian.AppendUint32(b, uint32(st.PeerTSN))
	b = binary.BigEndian.AppendUint16(b, st.Outbound)
	b = binary.BigEndian.AppendUint16(b, st.Inbound)
	b = binary.BigEndian.AppendUint32(b, st.PeerWindow)
	b = binary.BigEndian.AppendUint16(b, st.LocalPort)
	b = binary.BigEndian.AppendUint16(b, st.PeerPort)
	b = binary.BigEndian.AppendUint16(b, uint16(st.Features&allFeatures))
	b = binary.BigEndian.AppendUint32(b, st.StreamLimit.Uint32())
	most := MaxAddrs
	if st.StreamLimit.Pool != 0 {
		most--
	}
	addrs := st.PeerAddrs[:min(len(st.PeerAddrs), most)]
	b = append(b, byte(len(addrs)))
	b = appendAddr(b, st.Local)
	b = appendAddr(b, st.Peer.Addr())
	b = binary.BigEndian.AppendUint16(b, st.Peer.Port())
	for _, a := range addrs {
		b = appendAddr(b, a.WithZone(""))
	}
	if st.StreamLimit.Pool != 0 {
		b = binary.BigEndian.AppendUint32(b, st.StreamLimit.Base)
		b = binary.BigEndian.AppendUint32(b, st.StreamLimit.Pool)
	}
	return b
}

func appendAddr(b []byte, a netip.Addr) []byte {
	if len(a.Zone()) > zoneSize {
		a = a.WithZone("")
	}
	start := len(b)
	b, _ = a.AppendBinary(append(b, 0)) // never an error
	b[start] = byte(len(b) - start - 1)
	return b
}

// parseState reverses appendState. It takes nothing that appendState would have
// written differently.
func parseState(b []byte, st *State) bool {
	if len(b) < fixedSize {
		return false
	}
	st.Created = time.Duration(binary.BigEndian.Uint64(b))
	st.Life = time.Duration(binary.BigEndian.Uint64(b[8:]))
	st.LocalTag = wire.VerificationTag(binary.BigEndian.Uint32(b[16:]))
	st.PeerTag = wire.VerificationTag(binary.BigEndian.Uint32(b[20:]))
	st.TieLocal = wire.VerificationTag(binary.BigEndian.Uint32(b[24:]))
	st.TiePeer = wire.VerificationTag(binary.BigEndian.Uint32(b[28:]))
	st.LocalTSN = wire.TSN(binary.BigEndian.Uint32(b[32:]))
	st.PeerTSN = wire.TSN(binary.BigEndian.Uint32(b[36:]))
	st.Outbound = binary.BigEndian.Uint16(b[40:])
	st.Inbound = binary.BigEndian.Uint16(b[42:])
	st.PeerWindow = binary.BigEndian.Uint32(b[44:])
	st.LocalPort = binary.BigEndian.Uint16(b[48:])
	st.PeerPort = binary.BigEndian.Uint16(b[50:])
	st.Features = Features(binary.BigEndian.Uint16(b[52:]))
	limit := binary.BigEndian.Uint32(b[54:])
	st.StreamLimit = wire.ParseStreamLimit(limit)
	count := int(b[58])
	if count > MaxAddrs || st.Features&^allFeatures != 0 || st.StreamLimit.Uint32() != limit {
		return false
	}
	return parseAddrs(b[fixedSize:], count, st)
}

func parseAddrs(b []byte, count int, st *State) bool {
	var peer netip.Addr
	b, local := cutAddr(b, &st.Local)
	b, remote := cutAddr(b, &peer)
	if !local || !remote || len(b) < 2 {
		return false
	}
	st.Peer = netip.AddrPortFrom(peer, binary.BigEndian.Uint16(b))
	b = b[2:]
	st.PeerAddrs = st.PeerAddrs[:0]
	for range count {
		var a netip.Addr
		var ok bool
		if b, ok = cutAddr(b, &a); !ok || a.Zone() != "" {
			return false
		}
		st.PeerAddrs = append(st.PeerAddrs, a)
	}
	return parsePool(b, &st.StreamLimit) && (count < MaxAddrs || st.StreamLimit.Pool == 0)
}

// parsePool reads what is there if there is a pool.
func parsePool(b []byte, l *wire.StreamLimit) bool {
	if len(b) != poolSize {
		return len(b) == 0
	}
	l.Base, l.Pool = binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	return l.Pool != 0 && l.ValidPool()
}

func cutAddr(b []byte, a *netip.Addr) (rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0]) || b[0] >= addrSize+zoneSize {
		return nil, false
	}
	n := 1 + int(b[0])
	return b[n:], a.UnmarshalBinary(b[1:n]) == nil
}
