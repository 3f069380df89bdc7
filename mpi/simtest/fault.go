package simtest

import (
	"net/netip"
	"slices"
	"sync"
)

// A rank that dies: its fn returns an error, as after any failure. For the others that is a process that was killed. A rank that is late: it
// sleeps. What only the network can do is here. All of it is for fn, like SetLink.

// SetLinkOf changes what happens to packets that a rank sends from now on: its host alone is slow, far away, or loses packets.
func (network *Network) SetLinkOf(rank int, link Link) {
	var others []netip.Addr
	for other := range network.ranks {
		if other != rank {
			others = append(others, host(other))
		}
	}
	network.world.Uplink(host(rank), others, link)
}

// Cut takes a rank's host off the network: no packet leaves it or gets there, until Heal. Each side takes the other for dead when it has
// heard nothing for SCTPMPI_PEER_TIMEOUT (mpi.WithPeerTimeout), and suspects it after half of that.
func (network *Network) Cut(rank int) {
	network.off.mu.Lock()
	defer network.off.mu.Unlock()
	hosts := append(slices.Clip(network.off.hosts), host(rank))
	network.off.hosts = hosts
	network.world.Filter(func(from, to netip.AddrPort, _ []byte) (pass bool) {
		return !slices.Contains(hosts, from.Addr()) && !slices.Contains(hosts, to.Addr())
	})
}

// Heal puts the hosts of all ranks back.
func (network *Network) Heal() {
	network.off.mu.Lock()
	defer network.off.mu.Unlock()
	network.off.hosts = nil
	network.world.Filter(nil)
}

// off are the hosts that are off the network.
type off struct {
	mu    sync.Mutex
	hosts []netip.Addr
}
