package rpi

import (
	"errors"
	"fmt"
	"time"
)

// ErrFinalized is the cause of the PeerError for a peer that has finalized, and so is not dead but done.
var ErrFinalized = errors.New("it has finalized")

// Silent is the cause of the PeerError for a peer that has given no sign of life for
// Config.PeerTimeout, and so counts as dead.
func Silent(timeout time.Duration) error {
	return fmt.Errorf("this rank heard nothing from it for %v (SCTPMPI_PEER_TIMEOUT) and gave up on it", timeout)
}

// GaveUp is the cause of the PeerError for a peer that counts this process as dead. The peer has
// heard nothing from it for the peer's Config.PeerTimeout.
func GaveUp(timeout time.Duration) error {
	return fmt.Errorf("it gave up on this rank: it heard nothing from this rank for %v (SCTPMPI_PEER_TIMEOUT)", timeout)
}
