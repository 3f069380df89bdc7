package udp

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// localAddrs checks what Listen is to listen on.
func localAddrs(addrs []netip.Addr) ([]netip.Addr, error) {
	if len(addrs) == 0 {
		return nil, errors.New("udp: no address to listen on")
	}
	locals := make([]netip.Addr, 0, len(addrs))
	for _, a := range addrs {
		a = a.Unmap()
		switch {
		case !a.IsValid():
			return nil, errors.New("udp: an address to listen on is the zero Addr")
		case a.IsMulticast():
			return nil, fmt.Errorf("udp: cannot listen on %v: SCTP does not run over multicast", a)
		case a.IsUnspecified() && len(addrs) > 1:
			return nil, fmt.Errorf("udp: %v stands for all addresses: give it alone, or leave it out of %v", a, addrs)
		case slices.Contains(locals, a):
			return nil, fmt.Errorf("udp: address %v is given twice", a)
		}
		locals = append(locals, a)
	}
	return locals, nil
}
