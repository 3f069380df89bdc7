package plan

import "time"

// Load is what a job has to do, by which the time is bounded that it may take.
type Load struct {
	Bytes int           // that one link has to carry
	Turns int           // messages that each wait for the one before
	Time  time.Duration // that passes whatever the network is like
}

// Load returns the load itself, which then are the parameters of an application.
func (l Load) Load(int) Load { return l }

// Loaded are parameters of a program that know what a job of so many ranks has to do.
type Loaded interface{ Load(ranks int) Load }

// A job may take so much longer than it would on a network that loses nothing, and so long to start.
const (
	slack    = 8
	starting = 30 * time.Second
)

// Limit is how long a job of the case may take: what it takes to send what it has to send, with room for losses, but not less than
// Timeout.
func (c *Case) Limit() time.Duration {
	loaded, ok := c.Params.(Loaded)
	if !ok {
		return c.Timeout
	}
	l := loaded.Load(c.Ranks)
	least := l.Time + time.Duration(l.Turns)*c.Conditions.Delay
	if c.Conditions.Rate > 0 {
		least += time.Duration(float64(l.Bytes) * 8 / float64(c.Conditions.Rate) * float64(time.Second))
	}
	return max(c.Timeout, (starting + slack*least).Round(time.Second))
}
