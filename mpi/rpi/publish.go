package rpi

import (
	"fmt"
	"net/netip"
)

// Published returns the address and port at which peers reach a socket that is bound to local. Without Config.Publish it is local. With
// it the address is that one's, and the port is as far above its port as local's is above PortLow; if it has none, the port is local's.
func (cfg Config) Published(local netip.AddrPort) netip.AddrPort {
	switch {
	case !cfg.Publish.IsValid():
		return local
	case cfg.Publish.Port() == 0:
		return netip.AddrPortFrom(cfg.Publish.Addr(), local.Port())
	}
	return netip.AddrPortFrom(cfg.Publish.Addr(), cfg.Publish.Port()+local.Port()-cfg.PortLow)
}

// CheckPublish says what is wrong with Config.Publish, if something is.
func CheckPublish(publish netip.AddrPort, bound int, low, high uint16) error {
	switch {
	case !publish.IsValid() || publish.Port() == 0 && bound < 2:
		return nil
	case bound > 1:
		return fmt.Errorf("%s: it stands for one address, and %s names %d", EnvPublish, EnvInterface, bound)
	case low == 0:
		return fmt.Errorf("%s: a port needs %s, whose first port it stands for", EnvPublish, EnvPortRange)
	case int(publish.Port())+int(high-low) > 1<<16-1:
		return fmt.Errorf("%s: port %d is too great for the %d ports of %s", EnvPublish, publish.Port(), int(high-low)+1, EnvPortRange)
	}
	return nil
}
