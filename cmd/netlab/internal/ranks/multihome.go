package ranks

import (
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// SocketVariable chooses the sockets of multihome: engine, kernel or tcp.
const SocketVariable = "SCTPMPI_NETLAB_SOCKET"

// Multihome sends messages at intervals from rank 1 to rank 0, over sockets of their own rather than MPI, to see these alone. MPI only sees to it that both are ready.
type Multihome struct {
	Size, Count int // bytes, messages
	Every       time.Duration
	Paths       int // 1 or 2 addresses for each rank
}

// port is that of the receiver.
const port = 9000

// carrier moves the messages.
type carrier interface {
	// send sends a message; it waits for room.
	send(data []byte) error
	// receive calls arrived with each message, in their order, until n have come.
	receive(n int, arrived func(data []byte) error) error
	io.Closer
}

// multihome measures the longest time without a message, and how late messages come.
func multihome(params json.RawMessage, self self) (m Metrics, err error) {
	var p Multihome
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	err = mpi.Run(func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			m, err = p.receive(world, self)
			return err
		}
		return p.send(world)
	}, mpi.WithTransport("tcp-perpair"))
	return m, err
}

func (p Multihome) receive(world *mpi.Comm, self self) (m Metrics, err error) {
	own, _, err := addresses(p.Paths, world.Rank())
	if err != nil {
		return nil, err
	}
	c, err := listen(os.Getenv(SocketVariable), own)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(self.stdout, Begun); err != nil {
		return nil, err
	}
	var all latencies
	var number uint64
	var longest time.Duration
	last := time.Now()
	err = c.receive(p.Count, func(data []byte) error {
		now := time.Now()
		if number > 0 {
			longest = max(longest, now.Sub(last))
		}
		last = now
		all.arrived(data)
		number++
		return check(data, tagSmall, number-1)
	})
	if err != nil {
		return nil, fmt.Errorf("after %d messages: %w", number, err)
	}
	m = Metrics{"gap": float64(longest) / 1e6}
	all.report(m)
	return m, world.Barrier()
}

func (p Multihome) send(world *mpi.Comm) error {
	own, peer, err := addresses(p.Paths, world.Rank())
	if err != nil {
		return err
	}
	if err := world.Barrier(); err != nil {
		return err
	}
	c, err := dial(os.Getenv(SocketVariable), own, peer)
	if err != nil {
		return err
	}
	defer c.Close()
	err = pace(p.Every, p.Count, func(i uint64) error {
		data := make([]byte, p.Size)
		fill(data, tagSmall, i)
		stamp(data, time.Now().UnixNano())
		return c.send(data)
	})
	return firstOf(err, world.Barrier())
}

// addresses are those of a rank and of the other one, as netem.Dual gives them.
func addresses(paths, rank int) (own, peer []netip.Addr, err error) {
	if paths < 1 || paths > 2 || rank > 1 {
		return nil, nil, fmt.Errorf("%d paths at rank %d: two ranks have one or two", paths, rank)
	}
	for link := range paths {
		address := func(host int) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(77 + link), 0, byte(host + 1)}) }
		own, peer = append(own, address(rank)), append(peer, address(1-rank))
	}
	return own, peer, nil
}

func listen(kind string, own []netip.Addr) (carrier, error) {
	if kind == "tcp" {
		return listenTCP(own[0])
	}
	return openSCTP(kind, own)
}

func dial(kind string, own, peer []netip.Addr) (carrier, error) {
	if kind == "tcp" {
		return dialTCP(peer[0])
	}
	c, err := openSCTP(kind, own)
	if err != nil {
		return nil, err
	}
	return c, c.connect(peer)
}
