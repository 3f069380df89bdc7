//go:build !linux

package udp

import "net/netip"

func routeMTU(netip.Addr) int { return unknownMTU }
