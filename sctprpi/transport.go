package sctprpi

import (
	"cmp"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Transport is one process's end of all its associations. Use New or Open.
type Transport struct {
	*base
	associations *associations.Manager
	// budget is how much of the bodies of long messages a peer's association may
	// hold, in bytes.
	budget int

	// The engine's lock guards what follows, and what the manager knows of peers. Functions are called with it, but for those of
	// rpi.Transport, and links.Batch's Send.
	peers []*peer // by rank; nil: never used
	pools pools
	// dropped: the socket has been closed and refers to no memory.
	dropped bool
}

// base has all that is the same over each network.
type base = links.Engine

// protocol is what follows the handshake: raise the version when the frames change.
const protocol = "frames/2"

// New makes the transport of a process: it opens a socket, and connects to a peer
// when the first message for it is sent, or the first receive from it is posted.
func New(cfg rpi.Config, o Options) (*Transport, error) {
	o.Name = cmp.Or(o.Name, Name)
	cfg = associations.Defaults(cfg)
	c, err := socketConfig(cfg, o)
	if err != nil {
		return nil, err
	}
	t := &Transport{base: links.New(cfg, progression.ByTRC), budget: c.SendBuffer / 2, peers: make([]*peer, cfg.Size)}
	t.associations, err = associations.New(t.Config(), o, associations.Design{
		Protocol: protocol, Setting: progression.Share(cfg), SettingName: rpi.EnvUnexpectedLimit, Socket: c,
		Around: t.Around, Elsewhere: t.Near,
	}, t.Lock, user{t})
	if err != nil {
		t.Stop()
		return nil, err
	}
	t.Use(network{t.associations, t}, t.associations.Driver())
	t.associations.Run()
	return t, nil
}

// Name implements rpi.Transport.
func (t *Transport) Name() string { return t.associations.Name() }

// Protocol names what the transport speaks: the same for the engine and the kernel's SCTP where they understand each other.
func (t *Transport) Protocol() string { return t.associations.Protocol() }

// Kill implements rpi.Transport.
func (t *Transport) Kill() { t.associations.Kill() }

// Suspected implements rpi.Watchful.
func (t *Transport) Suspected() []matching.Rank { return t.associations.Suspected() }

// Paths implements rpi.Surveyed.
func (t *Transport) Paths() []rpi.Path { return t.associations.Paths() }

// Rejected returns how many associations have been ended because they had not proven to be of the job.
func (t *Transport) Rejected() uint64 { return t.associations.Rejected() }

// Socket is the socket that has all associations, nil in a job of one.
func (t *Transport) Socket() socket.Core { return t.associations.Socket() }

// network is the associations as the engine sees them.
type network struct {
	*associations.Manager
	t *Transport
}

// Usage implements links.Network.
func (n network) Usage() rpi.Usage {
	u := n.Manager.Usage()
	n.t.Lock.Lock()
	defer n.t.Lock.Unlock()
	for _, p := range n.t.peers {
		if p != nil {
			u.Streams += p.used.count()
		}
	}
	return u
}

// Next implements links.Network.
func (n network) Next(rank matching.Rank) links.Batch {
	p := n.t.peer(rank)
	if !n.Need(p.Peer, !p.queue.Empty()) {
		n.t.drop(p)
		return nil
	}
	return n.t.nextBatch(p)
}

// Carried implements links.Network: it shows the frames whose memory the socket has.
func (n network) Carried(show func(f *progression.Frame)) {
	for _, p := range n.t.peers {
		if p == nil {
			continue
		}
		for _, x := range p.inSocket {
			show(x.frame)
		}
	}
}

// messageCost is what a socket may count for a message beside its bytes.
const messageCost = 1 << 10

// socketConfig returns the configuration of the socket.
func socketConfig(cfg rpi.Config, o Options) (socket.Config, error) {
	c, err := associations.SocketConfig(cfg, o)
	// An eager message is one SCTP message, which must fit the send buffer,
	// beside the bodies of long ones.
	eager := min(int64(cfg.EagerLimit), progression.Share(cfg)) + header.Size + messageCost
	c.SendBuffer = int(max(int64(c.SendBuffer), 2*eager))
	c.Scheduler = socket.Priority
	return c, err
}
