package pertrc

import (
	"fmt"
	"os"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Name is the transport's name.
const Name = "sctp-pertrc"

// protocol is what follows the handshake: raise the version when the messages change.
const protocol = "streams/4"

const (
	// collectiveSlots is how many streams the collective operations of a context have.
	collectiveSlots = 16
	// streamBase is how many bytes each stream may hold unread in any case: an envelope and a short message.
	streamBase = 256
	// The receive buffer of an association has leastBuffer bytes at least, and mostBuffer at most, as the engine's pool of streams has. A
	// receive of a long message has some 150 KB of leastBuffer to keep the network busy with. With a quarter of it windows of 1 MiB
	// over loopback took three times as long.
	leastBuffer = 1 << 20
	mostBuffer  = 1 << 30
	// fewestStreams is the least number of streams for messages.
	fewestStreams = 16
	mostStreams   = 1<<16 - 1
)

// Transport is one process's end of all its associations.
type Transport struct {
	requests
	*manager
	cfg rpi.Config

	// lock guards what follows, and what the manager knows of peers. Functions are called with it, but for those of rpi.Transport.
	lock  *monitor.Lock
	layer *trc.Layer
	peers []*peer // by rank; nil: never used
	// active are the peers with something to be done for them: see work. waiting are those to which messages wait
	// for others (driver.Begin); more: the request that is being started sends one of several.
	active, waiting []*peer
	more            bool
	// unread are streams with pieces to be put back, wanted held streams that are to be let go.
	unread, wanted []*incoming
	// dropped: the socket has been closed and refers to no memory.
	dropped bool
	pools   pools
}

// requests is what programs call of a Transport.
type requests = driver.Requests

// manager makes and ends the associations.
type manager = associations.Manager

// Open makes the transport, with the settings of the environment variables SCTPMPI_STREAMS, SCTPMPI_CONGESTION,
// SCTPMPI_MULTIPATH and SCTPMPI_ECN.
// It always interleaves.
func Open(cfg rpi.Config) (rpi.Transport, error) {
	o, err := associations.FromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	return New(cfg, o)
}

// New makes the transport of a process: it opens a socket, and connects to a peer
// when the first message for it is sent, or the first receive from it is posted.
func New(cfg rpi.Config, o associations.Options) (*Transport, error) {
	cfg = associations.Defaults(cfg)
	if o.Name == "" {
		o.Name = Name
	}
	c, err := socketConfig(cfg, o)
	if err != nil {
		return nil, err
	}
	t := &Transport{cfg: cfg, peers: make([]*peer, cfg.Size)}
	t.lock = monitor.New(t.work)
	t.layer = trc.New(cfg, carrier{t}, collectiveSlots)
	t.manager, err = associations.New(cfg, o, associations.Design{Protocol: protocol, Socket: c}, t.lock, user{t})
	if err != nil {
		return nil, err
	}
	if _, ok := t.Socket().(streams); !ok && cfg.Size > 1 {
		t.Kill()
		return nil, fmt.Errorf("%s needs to receive from single streams, which only the embedded engine can", Name)
	}
	t.requests = driver.NewRequests(starter{t.layer, t}, t.Driver(), t.lock)
	t.Run()
	return t, nil
}

// streams is what the transport needs of a socket beside what all have.
type streams interface {
	Hold(id socket.AssocID, stream socket.StreamID, hold bool) error
	PutBack(e *socket.Event, taken int) error
}

// socketConfig returns the configuration of the socket. The receive buffer is what may be unread: a quarter of it is
// for streamBase on each stream, the rest is the pool.
func socketConfig(cfg rpi.Config, o associations.Options) (socket.Config, error) {
	buffer := min(max(cfg.UnexpectedLimit/max(1, cfg.Size-1), leastBuffer), mostBuffer)
	most := max(o.Streams, 4) // beside that of notes two of the reserve, and one
	if o.Streams == 0 {
		most = mostStreams
	}
	o.Streams = 1 + min(max(buffer/4/streamBase, fewestStreams), most-1)
	c, err := associations.SocketConfig(cfg, o)
	c.Interleaving, c.Scheduler = true, socket.Weighted // all alike: streams share by bytes
	c.StreamBase, c.StreamPool = streamBase, buffer-o.Streams*streamBase
	c.ReceiveBuffer = buffer
	c.UnauthenticatedBuffer = min(c.UnauthenticatedBuffer, buffer)
	return c, err
}

// Protocol names what the transport speaks, which no other does.
func (t *Transport) Protocol() string { return Name }

// Paths implements rpi.Surveyed.
func (t *Transport) Paths() []rpi.Path { return t.manager.Paths() }

// Usage implements rpi.Metered.
func (t *Transport) Usage() rpi.Usage {
	u := t.manager.Usage()
	t.lock.Lock()
	defer t.lock.Unlock()
	u.Held += t.layer.Held
	for _, p := range t.peers {
		if p != nil {
			u.Streams += max(p.next, 1) - 1
		}
	}
	return u
}

// starter is the layer as programs call it: it notes which short messages may wait for others.
type starter struct {
	*trc.Layer
	t *Transport
}

// Start implements driver.Layer.
func (s starter) Start(r *rpi.Request, more bool) {
	s.t.more = more
	s.Layer.Start(r, more)
}
