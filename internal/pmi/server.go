package pmi

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
)

// Phase is how far a rank has come as a PMI client.
type Phase int

// The phases of a rank, in the order in which they are passed. Not every rank passes all.
const (
	NotStarted  Phase = iota // has not initialised PMI; perhaps it is no MPI program
	Initialised              // must finalize before it exits
	Finalised                // has finalized
	Aborted                  // has asked for the end of the job
)

func (p Phase) String() string {
	switch p {
	case NotStarted:
		return "not started"
	case Initialised:
		return "initialised"
	case Finalised:
		return "finalised"
	case Aborted:
		return "aborted"
	}
	return fmt.Sprintf("Phase(%d)", int(p))
}

// Config describes a job to its [Server].
type Config struct {
	// Size is the number of ranks, at least 1.
	Size int
	// KVSName names the key-value space; empty stands for a random name.
	KVSName string
	// AppNum gives for each rank the number of its application context; nil stands for 0 everywhere.
	AppNum []int
	// Hosts gives for each rank the number of its host; nil stands for 0 everywhere.
	Hosts []int
	// Values are in the key-value space from the beginning.
	Values map[string]string
	// KeepGoing: once all ranks have met at a fence, the job goes on without those that have died. Later fences are complete without
	// them. A rank that is gone before it has come to the first fence fails that of the others.
	KeepGoing bool
	// OnAbort, unless nil, is called when a rank asks for the end of the job. It is called before the rank's
	// connection counts as ended; see [Server.Ended].
	OnAbort func(rank, code int, text string)
	// OnFence, unless nil, is called when a fence is complete for a rank, before the rank is told.
	OnFence func(rank int)
	// OnAnswer, unless nil, is called with what a rank says to a notice: see [Server.Notify]. The text may be any.
	OnAnswer func(rank int, text string)
	// OnCut, unless nil, is called when the server has closed a connection because of what came in on it. Rank is -1
	// for a connection that had not said which rank it is.
	OnCut func(rank int, reason error)
}

// maxNotices bounds the notices that wait to be sent to one rank.
const maxNotices = 4

// Server is the launcher's side of PMI for one job. It says nothing to a rank but in
// reply, unless the rank wants notices; and what a rank sends can hurt that rank alone: a connection that breaks the protocol is closed.
type Server struct {
	config Config
	ids    []int       // by rank: the PMI_ID that it presents on a port
	ranks  map[int]int // by PMI_ID

	mu      sync.Mutex
	conns   map[net.Conn]struct{} // every open one
	closed  bool
	clients []client
	kvs     store
	barrier barrier
	dead    []int // the ranks of Died
}

// client is what the server knows of one rank.
type client struct {
	phase    Phase
	attached bool
	ended    chan struct{} // closed when its connection is done with
	watches  bool          // takes notices
	notices  chan string   // not yet sent
	causes   map[int]bool  // the peers whose failure it has seen, AnyPeer among them; nil: it has seen none
	deaths   chan struct{} // holds an element if it may have to be told of deaths
}

// NewServer makes the server of one job.
func NewServer(config Config) (*Server, error) {
	if config.Size < 1 {
		return nil, fmt.Errorf("pmi: a job cannot have %d ranks", config.Size)
	}
	if config.AppNum != nil && len(config.AppNum) != config.Size {
		return nil, fmt.Errorf("pmi: %d application numbers for %d ranks", len(config.AppNum), config.Size)
	}
	if config.Hosts != nil && len(config.Hosts) != config.Size {
		return nil, fmt.Errorf("pmi: the hosts of %d ranks for %d", len(config.Hosts), config.Size)
	}
	if config.KVSName == "" {
		var name [8]byte
		_, _ = rand.Read(name[:]) // never fails
		config.KVSName = "kvs_" + hex.EncodeToString(name[:])
	}
	if err := checkWord("name of the key-value space", config.KVSName, maxNameLength); err != nil {
		return nil, fmt.Errorf("pmi: %w", err)
	}
	s := &Server{
		config:  config,
		ranks:   make(map[int]int, config.Size),
		conns:   make(map[net.Conn]struct{}),
		clients: make([]client, config.Size),
		kvs:     newStore(config),
		barrier: newBarrier(config.Size, config.KeepGoing),
	}
	for rank := range s.clients {
		s.clients[rank] = client{ended: make(chan struct{}), notices: make(chan string, maxNotices), deaths: make(chan struct{}, 1)}
	}
	for len(s.ids) < config.Size {
		id := randomID()
		if _, taken := s.ranks[id]; !taken {
			s.ranks[id] = len(s.ids)
			s.ids = append(s.ids, id)
		}
	}
	return s, nil
}

// randomID is a positive number that fits a C int, as a PMI_ID must.
func randomID() int {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return int(binary.NativeEndian.Uint32(b[:]) >> 1)
}

// Size is the number of ranks of the job.
func (s *Server) Size() int { return s.config.Size }

// PortID is the PMI_ID to give to the process of rank when ranks connect to a port; see [Server.Serve].
func (s *Server) PortID(rank int) int { return s.ids[rank] }

// Phase says how far a rank has come.
func (s *Server) Phase(rank int) Phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients[rank].phase
}

// Affected reports whether a rank has seen the failure of another one, by its own account or because a fence has
// failed. If it fails itself after that, the cause most likely is there.
func (s *Server) Affected(rank int) bool { return len(s.Causes(rank)) > 0 }

// Causes are the ranks whose failure a rank has seen, in their order; [AnyPeer] stands for one that it cannot name.
func (s *Server) Causes(rank int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.clients[rank].causes))
}

// sawFailure notes that a rank has seen the failure of a peer.
func (s *Server) sawFailure(rank, peer int) {
	s.update(rank, func(of *client) {
		if of.causes == nil {
			of.causes = make(map[int]bool)
		}
		of.causes[peer] = true
	})
}

// Notify says something to a rank that it has not asked for, see [Client.Watch]. It does not wait. It reports whether
// the notice will be sent: not to a rank that does not watch, as those of other libraries, or that has four unsent.
func (s *Server) Notify(rank int, what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.clients[rank].watches {
		return false
	}
	select {
	case s.clients[rank].notices <- what:
		return true
	default:
		return false
	}
}

// update changes what is known of a rank.
func (s *Server) update(rank int, change func(*client)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.clients[rank])
}

// Ended is closed once everything that the rank has sent has been dealt with and its connection is closed, so that its
// [Server.Phase] is final. A rank that never connects never ends.
func (s *Server) Ended(rank int) <-chan struct{} { return s.clients[rank].ended }

// Close closes all connections. Calls of ServeConn return soon after it.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	open := make([]net.Conn, 0, len(s.conns))
	for conn := range s.conns {
		open = append(open, conn)
	}
	s.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close()
	}
}

// ServeConn serves rank, which it knows to be at the other end of conn, until one of them closes the connection. A rank
// has one connection; a second one is refused.
func (s *Server) ServeConn(rank int, conn net.Conn) {
	s.serve(conn, func(c *session) error { return c.attach(rank) })
}

// serve runs a session from the moment at which greet has found out which rank it is of.
func (s *Server) serve(conn net.Conn, greet func(*session) error) {
	c := newSession(s, conn)
	if !s.open(conn) {
		return
	}
	err := greet(c)
	if err == nil {
		err = c.run()
	}
	s.mu.Lock()
	delete(s.conns, conn)
	closed := s.closed
	s.mu.Unlock()
	_ = conn.Close()
	if reason := misbehaviour(err); reason != nil && !closed && s.config.OnCut != nil {
		s.config.OnCut(c.rank, reason)
	}
	if c.rank >= 0 {
		s.leave(c.rank)
	}
}

// open enters a connection into the server's books, or closes it when the server is closed.
func (s *Server) open(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = conn.Close()
		return false
	}
	s.conns[conn] = struct{}{}
	return true
}

// attach makes a connection that of a rank.
func (s *Server) attach(rank int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rank < 0 || rank >= len(s.clients) {
		return fmt.Errorf("there is no rank %d", rank)
	}
	if s.clients[rank].attached {
		return fmt.Errorf("rank %d is connected already", rank)
	}
	s.clients[rank].attached = true
	return nil
}

// leave is called when the connection of a rank is closed. A fence that this rank has not entered can no longer complete.
func (s *Server) leave(rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended(rank)
}

// ended notes that nothing more comes from a rank. mu is held.
func (s *Server) ended(rank int) {
	s.barrier.leave(rank)
	close(s.clients[rank].ended)
}
