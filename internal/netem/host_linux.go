package netem

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Host is one of a topology's hosts.
type Host struct {
	ns    *namespace
	links []*Link
}

// Link returns one of the host's links, which count from zero: eth0, eth1.
func (h *Host) Link(i int) *Link { return h.links[i] }

// Addr returns the host's IPv4 address on one of its links.
func (h *Host) Addr(link int) netip.Addr { return h.links[link].addrs()[0].Addr() }

// Addr6 returns the host's IPv6 address on one of its links.
func (h *Host) Addr6(link int) netip.Addr { return h.links[link].addrs()[1].Addr() }

// Apply sets the conditions of what the host sends, on all its links, in place of former ones. Packets meet them before those of links:
// so a network can have two stages, of which one keeps the order and the other, with Reorder, does not.
func (h *Host) Apply(c Conditions) error {
	return h.Do(func() error {
		for _, l := range h.links {
			if err := c.Apply(l.device()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Do calls f on a thread in the host. Sockets that f opens and processes that it starts stay in the host. Goroutines
// that f starts do not run in the host.
func (h *Host) Do(f func() error) error { return h.ns.do(f) }

// Command makes a command that runs in the host, by means of nsenter(1) from util-linux. It is otherwise the
// same as exec.CommandContext.
func (h *Host) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	ns := fmt.Sprintf("--net=/proc/%d/fd/%d", os.Getpid(), h.ns.file.Fd())
	return exec.CommandContext(ctx, "nsenter", append([]string{ns, "--", name}, args...)...)
}

// configure sets the addresses of the calling thread's namespace, which is the host's. It enters the hardware addresses
// of all other hosts, so that the conditions apply to packets of the programs only.
func (h *Host) configure(all []*Host) error {
	for i, l := range h.links {
		device, err := netlink.LinkByName(l.device())
		if err != nil {
			return err
		}
		// Segments are made before the switch, so that the conditions there apply to each packet of the
		// network.
		if err := netlink.LinkSetGSOMaxSegs(device, 1); err != nil {
			return fmt.Errorf("gso_max_segs: %w", explain(err))
		}
		if err := netlink.LinkSetUp(device); err != nil {
			return err
		}
		for _, prefix := range l.addrs() {
			addr := &netlink.Addr{
				IPNet: &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())},
				Flags: unix.IFA_F_NODAD,
			}
			if err := netlink.AddrAdd(device, addr); err != nil {
				return fmt.Errorf("address %v: %w", prefix, err)
			}
		}
		for _, other := range all {
			if other == h {
				continue
			}
			peer := other.links[i]
			for _, prefix := range peer.addrs() {
				err := netlink.NeighSet(&netlink.Neigh{
					LinkIndex: device.Attrs().Index, State: netlink.NUD_PERMANENT,
					IP: prefix.Addr().AsSlice(), HardwareAddr: hardwareAddr(peer.number, peer.host),
				})
				if err != nil {
					return fmt.Errorf("neighbour %v: %w", prefix, err)
				}
			}
		}
	}
	return nil
}
