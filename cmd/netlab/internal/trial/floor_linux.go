package trial

import (
	"fmt"
	"strings"
	"time"

	"github.com/vishvananda/netlink"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// setFloor gives TCP a floor of its retransmission timeouts on all hosts of a network, as a property of their routes; 0 gives it back
// the kernel's, of 200 ms.
func (s *Site) setFloor(n *netem.Topology, floor time.Duration) error {
	if s.floors[n] == floor {
		return nil
	}
	for i := range n.Hosts() {
		if err := n.Host(i).Do(func() error { return setRoutes(floor) }); err != nil {
			return fmt.Errorf("TCP's retransmission timeout: %w", err)
		}
	}
	s.floors[n] = floor
	return nil
}

// setRoutes sets up the routes of the calling thread's host that lead to others.
func setRoutes(floor time.Duration) error {
	links, err := netlink.LinkList()
	if err != nil {
		return err
	}
	for _, link := range links {
		if !strings.HasPrefix(link.Attrs().Name, "eth") {
			continue
		}
		routes, err := netlink.RouteList(link, netlink.FAMILY_V4)
		if err != nil {
			return err
		}
		for _, route := range routes {
			route.RtoMin, route.RtoMinLock = int(floor.Milliseconds()), floor > 0 // the kernel minds it only if it is locked
			if err := netlink.RouteReplace(&route); err != nil {
				return err
			}
		}
	}
	return nil
}
