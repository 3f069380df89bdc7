package shm

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/processor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
)

// A goroutine that looks again and again looks at the inbox looksInTurn times before the driver lets others have the processor:
// that takes about as long as one look at a network, or less. After networkEvery such turns the network is looked at too, which
// takes a system call. In a job that is all on one host nothing ever comes from there. Where ranks share processors each
// look is a turn: the message that is waited for cannot come before another rank has the processor.
const (
	looksInTurn  = 16
	networkEvery = 64
)

// Around puts the link before a transport's network, as the driver is to see them: both together.
func (l *Link) Around(inner driver.Network) driver.Network {
	if l.off {
		return inner
	}
	n := network{Network: inner, link: l, fast: func(bool) (bool, error) { return inner.Poll() }}
	if f, ok := inner.(driver.FastPoller); ok {
		n.fast = f.PollFast
	}
	if p, ok := inner.(driver.Protocol); ok {
		return withProtocol{n, p}
	}
	return n
}

// network is the link and a network.
type network struct {
	driver.Network
	link *Link
	fast func(spins bool) (some bool, err error) // the network's PollFast
}

// Beside implements driver.Neighbours.
func (n network) Beside() (beside, known bool) {
	cpu := processor.Current()
	if cpu == processor.Unknown {
		return false, false
	}
	n.link.life.Progress.Lock()
	defer n.link.life.Progress.Unlock()
	return n.link.inbox != nil && n.link.inbox.Beside(cpu), true
}

// withProtocol is the link and a network whose protocol runs in this process.
type withProtocol struct {
	network
	driver.Protocol
}

// Poll implements driver.Network.
func (n network) Poll() (some bool, err error) {
	here := n.link.watches.take()
	here = n.link.poll(1) || here
	some, err = n.Network.Poll()
	return here || some, err
}

// PollFast implements driver.FastPoller.
func (n network) PollFast(spins bool) (some bool, err error) {
	switch {
	case n.link.watches.take():
		return true, nil
	case n.link.attached.Load() == 0:
		return n.fast(spins)
	case !spins:
		return n.link.poll(1), nil
	case n.link.poll(n.link.looksInTurn):
		return true, nil
	case n.link.turns.Add(1)%networkEvery != 0:
		return false, nil
	}
	return n.fast(spins)
}

// Rest implements driver.Network.
func (n network) Rest(messages bool) (deadline time.Time, ready bool) {
	deadline, ready = n.Network.Rest(messages)
	if messages && !n.link.sleep() {
		ready = true
	}
	if messages && !ready && n.link.watches.arrived() {
		ready = true
	}
	return deadline, ready
}

// Resume implements driver.Network.
func (n network) Resume() {
	n.link.awake()
	n.Network.Resume()
}

// sleep says that this process is about to wait for its doorbell, unless there is something to do, which it reports by false.
func (l *Link) sleep() bool {
	l.life.Progress.Lock()
	defer l.life.Progress.Unlock()
	if l.inbox == nil {
		return true
	}
	return l.reads.empty() && !l.broken.Load() && l.inbox.Sleep()
}

func (l *Link) awake() {
	if l.attached.Load() > 0 {
		l.inbox.Awake()
	}
}
