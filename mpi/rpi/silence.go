package rpi

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Watchful is a Transport that tells which peers it suspects to be dead: those that have given no sign of life for SuspectAfter, and do
// not count as dead yet. That a peer is suspected changes nothing: no operation fails for it, and nothing is dropped. It is not suspected
// any more as soon as it gives a sign of life, or is gone. A peer is asked for signs of life in any case, so one that
// only has nothing to say is not suspected. Peers that share memory never are: their end shows at once, and there is no silence.
type Watchful interface {
	// Suspected returns them, the lowest rank first. It visits each peer, so do not call it often.
	Suspected() []matching.Rank
}

// SuspectAfter is how long a peer may give no sign of life before it is suspected to be dead, if it counts as dead after
// timeout, Config.PeerTimeout: half of that. A transport may find out later, when it next looks.
func SuspectAfter(timeout time.Duration) time.Duration { return timeout / 2 }

// ErrFinalized is the cause of the PeerError for a peer that has finalized, and so is not dead but done.
var ErrFinalized = errors.New("it has finalized")

// Silent is the cause of the PeerError for a peer that has given no sign of life for
// Config.PeerTimeout, and so counts as dead.
func Silent(timeout time.Duration) error {
	return fmt.Errorf("this rank heard nothing from it for %v (SCTPMPI_PEER_TIMEOUT) and gave up on it", timeout)
}

// ErrGivenUp is in the cause of the PeerError for a peer that counts this process as dead: by Transport.GiveUp, or for another reason of
// its own. Only a peer that has proven to be of the job can say so.
var ErrGivenUp = errors.New("it gave up on this rank")

// GaveUp is the cause of the PeerError for a peer that counts this process as dead as it has heard nothing from it for the
// peer's Config.PeerTimeout. It is ErrGivenUp if timeout is 0.
func GaveUp(timeout time.Duration) error {
	if timeout == 0 {
		return ErrGivenUp
	}
	return fmt.Errorf("%w: it heard nothing from this rank for %v (SCTPMPI_PEER_TIMEOUT)", ErrGivenUp, timeout)
}
