package rpi

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
)

// CannotListen is the error of a transport that could not listen where Config says.
func (cfg Config) CannotListen(cause error) error {
	if cfg.PortHigh == 0 {
		return fmt.Errorf("cannot listen on %v: %w", cfg.Bind, cause)
	}
	return fmt.Errorf("cannot listen on %v, ports %d to %d: %w", cfg.Bind, cfg.PortLow, cfg.PortHigh, cause)
}

// Loopback is the loopback address of this host: 127.0.0.1, or ::1 where only IPv6 is there.
var Loopback = sync.OnceValue(func() netip.Addr {
	v4, v6 := netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()
	if !IsLocal(v4) && IsLocal(v6) {
		return v6
	}
	return v4
})

// IsLocal reports whether sockets can be bound to an address, so that it is one of this host.
func IsLocal(addr netip.Addr) bool {
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, 0)))
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}
