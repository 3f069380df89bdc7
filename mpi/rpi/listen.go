package rpi

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
)

// CannotListen returns the error of a transport that cannot listen on the address and ports of cfg.
func (cfg Config) CannotListen(cause error) error {
	if cfg.PortHigh == 0 {
		return fmt.Errorf("cannot listen on %s: %w", addresses(cfg.Bind), cause)
	}
	return fmt.Errorf("cannot listen on %s, ports %d to %d: %w", addresses(cfg.Bind), cfg.PortLow, cfg.PortHigh, cause)
}

func addresses(list []netip.Addr) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.String()
	}
	return strings.Join(names, ", ")
}

// Loopback returns the loopback address of this host: 127.0.0.1, or ::1 if the host has only IPv6.
var Loopback = sync.OnceValue(func() netip.Addr {
	v4, v6 := netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()
	if !IsLocal(v4) && IsLocal(v6) {
		return v6
	}
	return v4
})

// IsLocal reports whether addr is an address of this host: sockets can be bound to it.
func IsLocal(addr netip.Addr) bool {
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, 0)))
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}
