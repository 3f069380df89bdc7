package trc

// asideCharge is what a message that has been put aside counts of rpi.Config.UnexpectedLimit at least, in bytes.
const asideCharge = 256

// Clear notes that the sender of a channel needs it for another TRC. So the messages on it that no receive takes are in
// the way of some that a receive may wait for: as long as one waits, or a probe, they are put aside, within
// rpi.Config.UnexpectedLimit: those of a channel that is Demanded up to the limit, others up to half of it. It ends with Cleared, or End.
func (l *Layer) Clear(c *Incoming) {
	l.clearing.Push(&c.clearing, c)
	if posted, _ := l.Match.Depth(); posted > 0 || len(l.Probes) > 0 {
		l.putAside(c)
	}
}

// Cleared notes that the sender needs the channel no more, or has it back.
func (l *Layer) Cleared(c *Incoming) { c.clearing.Remove() }

// putAside takes the head of a channel out of it, if its sender needs the channel.
func (l *Layer) putAside(c *Incoming) {
	m := c.head
	if !c.clearing.Listed() || m == nil || c.wanted {
		return
	}
	limit := l.Config.UnexpectedLimit
	if !c.Demanded {
		limit /= 2
	}
	if l.aside >= limit/asideCharge || uint64(l.Held)+m.Length > uint64(limit) {
		return
	}
	if l.stash(c); c.wanted || c.head != m {
		m.aside = true
		l.aside++
	}
}
