package startup

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// interfaceAddresses finds the local addresses that which names, separated by commas: see interfaceAddress.
func interfaceAddresses(which string) ([]netip.Addr, error) {
	names := strings.Split(which, ",")
	if len(names) > rpi.MaxAddresses {
		return nil, fmt.Errorf("it names %d addresses; there may be %d", len(names), rpi.MaxAddresses)
	}
	var found []netip.Addr
	for i, name := range names {
		addr, err := interfaceAddress(name)
		switch {
		case err != nil && len(names) > 1:
			return nil, fmt.Errorf("%q: %w", name, err)
		case err != nil:
			return nil, err
		case slices.Contains(found, addr):
			return nil, fmt.Errorf("%s and %s are both %v: a second address is of use on a network of its own", names[slices.Index(found, addr)], name, addr)
		case i > 0 && addr.IsLoopback() != found[0].IsLoopback():
			return nil, fmt.Errorf("%v and %v: only one of them is an address of the loopback interface, which other hosts do not reach", found[0], addr)
		}
		found = append(found, addr)
	}
	return found, nil
}

// interfaceAddress finds the local address that which names: the address
// itself, or the first of an interface or network.
func interfaceAddress(which string) (netip.Addr, error) {
	if addr, err := netip.ParseAddr(which); err == nil {
		if addr.IsUnspecified() {
			return addr, errors.New("peers need an address of this host that they can reach")
		}
		if !rpi.IsLocal(addr) {
			local, _ := localAddresses()
			return addr, fmt.Errorf("it is no address of this host; there are: %s", list(local))
		}
		return addr, nil
	}
	network, err := netip.ParsePrefix(which)
	byNetwork := err == nil
	local, err := localAddresses()
	if err != nil {
		return netip.Addr{}, err
	}
	for _, a := range local {
		if a.iface == which && !a.addr.IsLinkLocalUnicast() || byNetwork && network.Contains(a.addr) {
			return a.addr, nil
		}
	}
	return netip.Addr{}, fmt.Errorf("it is no address, and no interface or network that is up here; there are: %s", list(local))
}

// RoutableAddress is the address that other hosts most likely reach us at.
func RoutableAddress() (netip.Addr, error) {
	local, err := localAddresses()
	if err != nil {
		return netip.Addr{}, err
	}
	for _, a := range local {
		if a.addr.IsGlobalUnicast() && !slices.ContainsFunc(virtual, func(prefix string) bool { return strings.HasPrefix(a.iface, prefix) }) {
			return a.addr, nil
		}
	}
	return netip.Addr{}, fmt.Errorf("no local address looks reachable from other hosts; there are: %s; choose one with SCTPMPI_INTERFACE", list(local))
}

// virtual are the usual names of interfaces that lead to containers and
// virtual machines of this host rather than to other hosts.
var virtual = []string{"docker", "virbr", "br-", "veth", "cni", "lxc", "podman"}

// localAddress is an address of an interface that is up.
type localAddress struct {
	iface string
	addr  netip.Addr
}

// localAddresses lists the addresses of this host in the system's order, IPv4
// before IPv6 within an interface.
func localAddresses() ([]localAddress, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("cannot list the network interfaces: %w", err)
	}
	var found []localAddress
	var failed []error
	for _, iface := range interfaces {
		if iface.Flags&net.FlagUp == 0 {
			continue
		}
		addrs, err := iface.Addrs()
		if err != nil {
			failed = append(failed, fmt.Errorf("cannot list the addresses of %s: %w", iface.Name, err))
			continue
		}
		var here []localAddress
		for _, a := range addrs {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				here = append(here, localAddress{iface.Name, prefix.Addr().Unmap()})
			}
		}
		slices.SortStableFunc(here, func(a, b localAddress) int { return a.addr.BitLen() - b.addr.BitLen() })
		found = append(found, here...)
	}
	if len(found) == 0 {
		return nil, errors.Join(append(failed, errors.New("no network interface is up"))...)
	}
	return found, nil
}

func list(local []localAddress) string {
	names := make([]string, len(local))
	for i, a := range local {
		names[i] = fmt.Sprintf("%s (%s)", a.addr, a.iface)
	}
	return strings.Join(names, ", ")
}
