package netem

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
)

// Topology is a network of hosts. Each host is a network namespace; a link joins it to a switch, a bridge in another
// namespace. Nothing of it is in the network namespace of the program. A topology and what it consists of are not for use
// by several goroutines at a time, except for Host.Do and Host.Command.
type Topology struct {
	hosts    []*Host
	switches []*namespace
}

// Star makes n hosts, from 2 to MaxHosts, that are joined to one switch by one link each.
func Star(n int) (*Topology, error) { return build(n, 1) }

// Dual makes two hosts joined by two links, eth0 and eth1, each with a switch and addresses of its own: a network for
// multihoming.
func Dual() (*Topology, error) { return build(2, 2) }

// Host returns one of the hosts, which count from zero.
func (t *Topology) Host(i int) *Host { return t.hosts[i] }

// Hosts returns the number of hosts.
func (t *Topology) Hosts() int { return len(t.hosts) }

// Apply gives all links the same conditions, see Link.Apply: each packet meets them once.
func (t *Topology) Apply(c Conditions) error {
	for _, h := range t.hosts {
		for _, l := range h.links {
			if err := l.Apply(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close removes the network. Sockets that are open in it stay usable but have no network; processes started in it should
// have been ended before.
func (t *Topology) Close() error {
	var errs []error
	for _, s := range t.switches {
		// Processes may keep a host's namespace, but not its links.
		errs = append(errs, s.do(removePorts), s.close())
	}
	for _, h := range t.hosts {
		errs = append(errs, h.ns.close())
	}
	t.switches, t.hosts = nil, nil
	return errors.Join(errs...)
}

// build makes hosts with a link to each of some switches.
func build(hosts, switches int) (t *Topology, err error) {
	if hosts < 2 || hosts > MaxHosts {
		return nil, fmt.Errorf("netem: %d hosts: there must be from 2 to %d", hosts, MaxHosts)
	}
	t = &Topology{}
	defer func() {
		if err != nil {
			t.Close()
			t, err = nil, fmt.Errorf("netem: %w", err)
		}
	}()
	for range hosts {
		ns, err := newNamespace()
		if err != nil {
			return t, err
		}
		t.hosts = append(t.hosts, &Host{ns: ns})
	}
	for s := range switches {
		ns, err := newNamespace()
		if err != nil {
			return t, err
		}
		t.switches = append(t.switches, ns)
		if err := ns.do(makeBridge); err != nil {
			return t, err
		}
		for i, h := range t.hosts {
			l := &Link{number: s, host: i, port: fmt.Sprint("port", i), ns: ns}
			if err := l.connect(h.ns); err != nil {
				return t, err
			}
			h.links = append(h.links, l)
		}
	}
	for _, h := range t.hosts {
		if err := h.ns.do(func() error { return h.configure(t.hosts) }); err != nil {
			return t, err
		}
	}
	return t, nil
}

const bridgeName = "switch"

// makeBridge makes the switch of the calling thread's namespace.
func makeBridge() error {
	attributes := netlink.NewLinkAttrs()
	attributes.Name = bridgeName
	off := false
	bridge := &netlink.Bridge{LinkAttrs: attributes, MulticastSnooping: &off}
	if err := netlink.LinkAdd(bridge); err != nil {
		return fmt.Errorf("a bridge: %w", explain(err))
	}
	return netlink.LinkSetUp(bridge)
}

// removePorts removes all links of the calling thread's namespace.
func removePorts() error {
	links, err := netlink.LinkList()
	for _, l := range links {
		if l.Type() == "veth" {
			err = errors.Join(err, netlink.LinkDel(l))
		}
	}
	return err
}

// hardwareAddr returns the address of a host's end of its link to a switch.
func hardwareAddr(number, host int) net.HardwareAddr {
	return net.HardwareAddr{0x02, 0, 0, 0, byte(number), byte(host + 1)}
}

// addrs returns the IPv4 and the IPv6 address of a host's end of its link to a switch.
func addrs(number, host int) [2]netip.Prefix {
	v6 := [16]byte{0: 0xfd, 7: byte(77 + number), 15: byte(host + 1)}
	return [2]netip.Prefix{
		netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(77 + number), 0, byte(host + 1)}), 24),
		netip.PrefixFrom(netip.AddrFrom16(v6), 64),
	}
}
