package rpi

import (
	"fmt"
	"time"
)

// Silent is why a peer that has given no sign of life for Config.PeerTimeout counts
// as dead: the cause of its PeerError.
func Silent(timeout time.Duration) error {
	return fmt.Errorf("this rank heard nothing from it for %v (SCTPMPI_PEER_TIMEOUT) and gave up on it", timeout)
}

// GaveUp is why a peer is gone that counts this process as dead, because it heard
// nothing from it for the peer's Config.PeerTimeout.
func GaveUp(timeout time.Duration) error {
	return fmt.Errorf("it gave up on this rank: it heard nothing from this rank for %v (SCTPMPI_PEER_TIMEOUT)", timeout)
}
