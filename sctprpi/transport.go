package sctprpi

import (
	"context"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/shm"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Transport is one process's end of all its associations. Use New or Open.
type Transport struct {
	requests
	*manager
	link *shm.Link // with the peers of this host
	// budget is how much of the bodies of long messages a peer's association may
	// hold, in bytes.
	budget int

	// env is used by the goroutine that has the progress token.
	env matching.Envelope

	// mu guards what follows, and what the manager knows of peers.
	mu    sync.Mutex
	layer *progression.Layer
	peers []*peer // by rank; nil: never used
	pools pools
	// dropped: the socket has been closed and refers to no memory.
	dropped bool
}

// requests is what programs call of a Transport.
type requests = driver.Requests

// manager makes and ends the associations.
type manager = associations.Manager

// protocol is what follows the handshake: raise the version when the frames change.
const protocol = "frames/2"

// New makes the transport of a process: it opens a socket, and connects to a peer
// when the first message for it is sent, or the first receive from it is posted.
func New(cfg rpi.Config, o Options) (*Transport, error) {
	if o.Name == "" {
		o.Name = Name
	}
	cfg = associations.Defaults(cfg)
	c, err := socketConfig(cfg, o)
	if err != nil {
		return nil, err
	}
	t := &Transport{budget: c.SendBuffer / 2, peers: make([]*peer, cfg.Size)}
	t.layer = progression.New(cfg, progression.ByTRC, t.carried)
	t.link = shm.New(cfg, t.layer, &t.mu, t.Finish)
	t.manager, err = associations.New(t.link.Network(), o, associations.Design{
		Protocol: protocol, Setting: progression.Share(cfg), SettingName: rpi.EnvUnexpectedLimit, Socket: c,
		Around: t.link.Around, Elsewhere: t.link.Has,
	}, &t.mu, user{t})
	if err != nil {
		t.link.Kill()
		return nil, err
	}
	t.link.Start(t.Driver())
	t.requests = driver.NewRequests(t.layer, t.Driver(), &t.mu, t.Finish)
	t.Run()
	return t, nil
}

// Address implements rpi.Transport.
func (t *Transport) Address() string { return t.link.Address(t.manager.Address()) }

// Connect implements rpi.Transport: what the link does not take the network has to.
func (t *Transport) Connect(ctx context.Context) error {
	if err := t.link.Connect(ctx); err != nil {
		return err
	}
	return t.manager.Connect(ctx)
}

// GiveUp implements rpi.Transport.
func (t *Transport) GiveUp(peer matching.Rank, cause error) {
	if !t.link.GiveUp(peer, cause) {
		t.manager.GiveUp(peer, cause)
	}
}

// Close implements rpi.Transport.
func (t *Transport) Close(ctx context.Context) error {
	return rpi.JoinParting(t.link.Close(ctx), t.manager.Close(ctx))
}

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	u := t.manager.Usage()
	t.mu.Lock()
	defer t.mu.Unlock()
	u.Held += t.layer.Unread()
	t.link.Usage(&u)
	for _, p := range t.peers {
		if p != nil {
			u.Streams += p.used.count()
		}
	}
	return u
}

// messageCost is what a socket may count for a message beside its bytes.
const messageCost = 1 << 10

// socketConfig returns the configuration of the socket.
func socketConfig(cfg rpi.Config, o Options) (socket.Config, error) {
	c, err := associations.SocketConfig(cfg, o)
	// An eager message is one SCTP message, which must fit the send buffer,
	// beside the bodies of long ones.
	eager := min(int64(cfg.EagerLimit), progression.Share(cfg)) + matching.EnvelopeSize + messageCost
	c.SendBuffer = int(max(int64(c.SendBuffer), 2*eager))
	c.Scheduler = socket.Priority
	return c, err
}
