package plpmtud

import (
	"cmp"
	"fmt"
	"time"
)

// Defaults of Config.
const (
	DefaultBase  = 1200
	DefaultRaise = 10 * time.Minute
)

const (
	// minBase is what every host can receive (RFC 1122, section 3.3.3).
	minBase = 576
	// maxPacket is the largest IPv4 packet.
	maxPacket = 65_535
	// align is what the size of an SCTP packet is a multiple of.
	align = 4
)

// Config is what a Search is made with. Sizes are in bytes of IP packet.
type Config struct {
	// Min is the smallest size that is ever used (MIN_PLPMTU): a path that
	// cannot carry it is not supported. It is at least 576, and the default is
	// Base. It should be 576 for IPv4 and 1,280 for IPv6.
	Min int
	// Base is a size that is expected to pass (BASE_PLPMTU): a search begins
	// there, and goes below only when Base does not pass. The default is the
	// 1,200 that RFC 8899, section 5.1.2, recommends for IPv4. For IPv6 it
	// should be 1,280.
	Base int
	// Max is the largest size to try (MAX_PLPMTU): the MTU of the local route,
	// at least Base. More than 65,535 is taken for 65,535.
	Max int
	// Raise is how long the result of a search holds before a larger size is
	// looked for (PMTU_RAISE_TIMER). The default is the 10 minutes of RFC
	// 8899, section 5.1.1.
	Raise time.Duration
}

func (c *Config) setDefaults() error {
	c.Base = cmp.Or(c.Base, DefaultBase)
	c.Min = cmp.Or(c.Min, c.Base)
	c.Raise = cmp.Or(c.Raise, DefaultRaise)
	switch {
	case c.Base < minBase || c.Base > maxPacket:
		return fmt.Errorf("plpmtud: base of %d bytes, must be %d to %d", c.Base, minBase, maxPacket)
	case c.Min < minBase || c.Min > c.Base:
		return fmt.Errorf("plpmtud: minimum of %d bytes, must be %d to the base of %d", c.Min, minBase, c.Base)
	case c.Max < c.Base:
		return fmt.Errorf("plpmtud: maximum of %d bytes, must be at least the base of %d", c.Max, c.Base)
	case c.Raise < 0:
		return fmt.Errorf("plpmtud: raise timer of %v, must not be negative", c.Raise)
	}
	c.Min = c.Min / align * align
	c.Base = c.Base / align * align
	c.Max = min(c.Max, maxPacket) / align * align
	return nil
}
