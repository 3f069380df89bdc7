package assoc

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Defaults that socket.Config names.
const (
	defaultStreams    = 1024
	defaultAckDelay   = 20 * time.Millisecond
	defaultHeartbeat  = 30 * time.Second
	defaultPathTries  = 5
	defaultAssocTries = 10
	defaultInitTries  = 8
	defaultCookieLife = 60 * time.Second
	defaultMaxAssocs  = 65_536
	defaultStreamBase = 1024
)

// maxCookieLife is so long that a cookie, whose life the peer may have doubled, does not
// outlive the key that it is signed with.
const maxCookieLife = 30 * time.Minute

// Resolve puts the defaults in the place of zeros and refuses what cannot be.
func Resolve(c socket.Config) (socket.Config, error) {
	c.Streams = cmp.Or(c.Streams, defaultStreams)
	c.SendBuffer = cmp.Or(c.SendBuffer, tx.DefaultSendBuffer)
	c.ReceiveBuffer = cmp.Or(c.ReceiveBuffer, rx.DefaultBuffer)
	c.RTOMin = cmp.Or(c.RTOMin, tx.DefaultRTOMin)
	c.RTOMax = cmp.Or(c.RTOMax, max(tx.DefaultRTOMax, c.RTOMin))
	c.RTOInitial = cmp.Or(c.RTOInitial, min(max(tx.DefaultRTOInitial, c.RTOMin), c.RTOMax))
	c.AckDelay = cmp.Or(c.AckDelay, defaultAckDelay)
	c.AckEvery = cmp.Or(c.AckEvery, rx.DefaultAckEvery)
	c.Heartbeat = cmp.Or(c.Heartbeat, defaultHeartbeat)
	c.PathRetransmissions = cmp.Or(c.PathRetransmissions, defaultPathTries)
	c.AssocRetransmissions = cmp.Or(c.AssocRetransmissions, defaultAssocTries)
	c.InitRetransmissions = cmp.Or(c.InitRetransmissions, defaultInitTries)
	c.CookieLife = cmp.Or(c.CookieLife, defaultCookieLife)
	c.MaxAssociations = cmp.Or(c.MaxAssociations, defaultMaxAssocs)
	c.UnauthenticatedBuffer = cmp.Or(c.UnauthenticatedBuffer, c.ReceiveBuffer)
	if c.StreamPool > 0 {
		c.StreamBase = cmp.Or(c.StreamBase, defaultStreamBase)
	}
	for _, check := range []struct {
		name  string
		value int
	}{
		{"PathRetransmissions", c.PathRetransmissions},
		{"AssocRetransmissions", c.AssocRetransmissions},
		{"InitRetransmissions", c.InitRetransmissions},
		{"MaxAssociations", c.MaxAssociations},
		{"MaxUnauthenticated", c.MaxUnauthenticated},
	} {
		if check.value < 0 {
			return c, fmt.Errorf("sctp: %s is %d, must not be negative", check.name, check.value)
		}
	}
	if c.PeerTimeout < 0 {
		return c, fmt.Errorf("sctp: PeerTimeout is %v, must not be negative", c.PeerTimeout)
	}
	if c.UnauthenticatedBuffer > c.ReceiveBuffer {
		return c, fmt.Errorf("sctp: UnauthenticatedBuffer is %d bytes, must be at most ReceiveBuffer, %d", c.UnauthenticatedBuffer, c.ReceiveBuffer)
	}
	if c.CookieLife < 0 || c.CookieLife > maxCookieLife {
		return c, fmt.Errorf("sctp: CookieLife is %v, must be at most %v", c.CookieLife, maxCookieLife)
	}
	if int(c.Congestion) >= len(controllers) {
		return c, fmt.Errorf("sctp: unknown congestion control %d", c.Congestion)
	}
	if err := checkPool(&c); err != nil {
		return c, err
	}
	return c, try(c)
}

// checkPool checks what streams may have unread together, against wire.StreamLimit and the receive
// buffer.
func checkPool(c *socket.Config) error {
	base, pool := c.StreamBase, c.StreamPool
	switch {
	case pool == 0 && base == 0:
		return nil
	case pool < wire.MinStreamPool || pool > wire.MaxStreamLimit:
		return fmt.Errorf("sctp: StreamPool is %d bytes, must be %d to %d, or 0 with no StreamBase", pool, wire.MinStreamPool, wire.MaxStreamLimit)
	case base < wire.MinStreamCharge || base > wire.MaxStreamLimit-pool:
		return fmt.Errorf("sctp: StreamBase is %d bytes, must be %d to %d", base, wire.MinStreamCharge, wire.MaxStreamLimit-pool)
	case c.StreamLimit > 0 && c.StreamLimit < base:
		return fmt.Errorf("sctp: StreamLimit is %d bytes, must be StreamBase, %d, at least", c.StreamLimit, base)
	}
	if need := int64(c.Streams)*int64(base) + int64(pool); int64(c.ReceiveBuffer) < need {
		return fmt.Errorf("sctp: ReceiveBuffer is %d bytes, must be %d at least: %d streams of StreamBase, %d bytes, and StreamPool, %d",
			c.ReceiveBuffer, need, c.Streams, base, pool)
	}
	return nil
}

// try has the halves of an association check their options.
func try(c socket.Config) error {
	h := Host{Config: c}
	out := h.txConfig()
	out.Streams = c.Streams
	if _, err := tx.New(out); err != nil {
		return err
	}
	if _, err := tx.NewRTO(out.RTO); err != nil {
		return err
	}
	if _, err := rx.NewTracker(0, h.ackPolicy()); err != nil {
		return err
	}
	for _, buffer := range []int{c.ReceiveBuffer, c.UnauthenticatedBuffer} {
		in := h.rxConfig()
		in.Streams, in.Buffer = c.Streams, buffer
		if _, err := rx.New(in); err != nil {
			return err
		}
	}
	return nil
}
