package netem

import (
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Link joins a host to a switch.
type Link struct {
	number, host int // of the switch, of the host
	port         string
	ns           *namespace // of the switch
}

// Apply sets the conditions of packets to the host on this link, in place of former ones. Packets from the host get the
// conditions of the link by which they arrive. So between two hosts each packet meets conditions once, and a Delay on
// both their links is half the round trip.
func (l *Link) Apply(c Conditions) error {
	return l.ns.do(func() error { return c.Apply(l.port) })
}

func (l *Link) device() string         { return fmt.Sprint("eth", l.number) }
func (l *Link) addrs() [2]netip.Prefix { return addrs(l.number, l.host) }

// connect makes the link: one end is a port of the switch, the other a device of the host.
func (l *Link) connect(host *namespace) error {
	return l.ns.do(func() error {
		bridge, err := netlink.LinkByName(bridgeName)
		if err != nil {
			return err
		}
		attributes := netlink.NewLinkAttrs()
		attributes.Name = l.port
		veth := &netlink.Veth{
			LinkAttrs: attributes, PeerName: l.device(), PeerHardwareAddr: hardwareAddr(l.number, l.host),
			PeerNamespace: netlink.NsFd(int(host.file.Fd())),
		}
		if err := netlink.LinkAdd(veth); err != nil {
			return fmt.Errorf("a veth pair: %w", explain(err))
		}
		port, err := netlink.LinkByName(l.port)
		if err != nil {
			return err
		}
		if err := netlink.LinkSetMaster(port, bridge); err != nil {
			return fmt.Errorf("port %s: %w", l.port, err)
		}
		if err := netlink.LinkSetUp(port); err != nil {
			return fmt.Errorf("port %s: %w", l.port, err)
		}
		// The switch need not learn, so that no host ever gets, and counts, another's packets. NUD_NOARP makes the entry
		// static; NUD_PERMANENT would mean an address of the switch itself.
		err = netlink.NeighAppend(&netlink.Neigh{
			LinkIndex: port.Attrs().Index, Family: unix.AF_BRIDGE, Flags: netlink.NTF_MASTER, State: netlink.NUD_NOARP,
			HardwareAddr: hardwareAddr(l.number, l.host),
		})
		if err != nil {
			return fmt.Errorf("port %s: forwarding entry: %w", l.port, err)
		}
		return nil
	})
}
