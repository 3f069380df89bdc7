package kernel

import (
	"encoding/binary"
	"net/netip"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// encapsulate sets the UDP port that an address is reached by, or for the zero address
// those of associations to come (RFC 6951, section 5.3).
func (e *endpoint) encapsulate(to encapsulation, port uint16) error {
	future := to == encapsulation{}
	if e.udp == 0 || future && port == e.encap {
		return nil
	}
	binary.BigEndian.PutUint16(to.Port[:], port)
	err := e.using(func(fd int) error { return set(fd, optEncapsulation, to) })
	if err == nil && future {
		e.encap = port
	}
	return err
}

// known returns an address of an association's peer with its UDP port.
func (e *endpoint) known(id int32, a netip.AddrPort) socket.Addr {
	addr := socket.Addr{IP: a.Addr(), Port: a.Port()}
	if e.udp == 0 {
		return addr
	}
	info := encapsulation{Assoc: id, Addr: newStorage(a)}
	if ask(e, optEncapsulation, &info) == nil {
		addr.UDP = binary.BigEndian.Uint16(info.Port[:])
	}
	return addr
}
