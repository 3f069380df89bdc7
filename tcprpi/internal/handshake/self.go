package handshake

import (
	"context"
	"fmt"
	"sync"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Label names what keys are derived for.
const Label = "sctpmpi tcp 7"

// Self is this process in handshakes.
type Self struct {
	// Identity is what it publishes.
	Identity seal.Identity

	cfg      rpi.Config
	protocol Protocol
	secret   *seal.Secret // nil if nothing is sealed

	mu       sync.Mutex
	found    map[matching.Rank]Peer
	sessions map[seal.ID]*Session // by the names that peers use
}

// NewSelf returns the process of a configuration.
func NewSelf(cfg rpi.Config, protocol Protocol) (*Self, error) {
	policy, err := cfg.Sealing()
	if err != nil {
		return nil, err
	}
	s := &Self{Identity: seal.Identity{ID: seal.NewID(), Policy: policy, AES: seal.HasAES()}, cfg: cfg, protocol: protocol, sessions: make(map[seal.ID]*Session)}
	if policy != seal.Off {
		s.secret = seal.NewSecret(cfg.Token, Label)
	}
	return s, nil
}

// Publish returns what peers must get from their rpi.Config.Lookup for this process, which listens at an address.
func (s *Self) Publish(address string) string {
	if s.secret == nil {
		return address
	}
	return s.Identity.Publish(s.secret, address)
}

// Peer is what another process has published.
type Peer struct {
	Address string
	seal.Identity
}

// Find looks up a peer: once, as what a process has published holds for as long as it lives, and each look-up is a question to
// the launcher.
func (s *Self) Find(ctx context.Context, rank matching.Rank) (Peer, error) {
	s.mu.Lock()
	p, ok := s.found[rank]
	s.mu.Unlock()
	if ok {
		return p, nil
	}
	text, err := s.cfg.Lookup(ctx, int(rank))
	if err != nil {
		return Peer{}, err
	}
	if p, err = s.read(text); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.found == nil {
			s.found = make(map[matching.Rank]Peer)
		}
		s.found[rank] = p
	}
	return p, err
}

// read decodes what a peer has published.
func (s *Self) read(text string) (p Peer, err error) {
	secret := s.secret
	if secret == nil {
		secret = seal.NewSecret(s.cfg.Token, Label) // the peer may seal
	}
	sealed := false
	p.Address, p.Identity, sealed, err = seal.Read(secret, text)
	if err != nil {
		return p, err
	}
	if !sealed {
		p.Policy = seal.Off
	}
	if err := s.Identity.Policy.Agree(p.Policy); err != nil {
		return p, fmt.Errorf("%w: %w", ErrPolicy, err)
	}
	return p, nil
}
