package kernel

import "time"

// beats is how many times in Config.PeerTimeout the pulses of all peers are taken.
const beats = 8

// pulse tells whether a peer lives, by the number of packets that have come from it. Linux counts no
// time, only its own attempts that were in vain, of which there are twice as many where this end
// sends data too. A pulse counts beats and no time either, so that no peer is given up because this
// process was stopped or had no processor: after each beat the peer has a whole interval to answer.
type pulse struct {
	packets uint64
	missed  int // beats in a row at which nothing had come since the one before
}

// vitality is what a pulse says.
type vitality uint8

const (
	living vitality = iota
	// doubtful: nothing has come since the last beat. The peer is to be asked for a sign of life: it
	// may only have nothing to say.
	doubtful
	dead
)

// beat takes a pulse. packets is how many have come so far. A peer that is dead remains so.
func (p *pulse) beat(packets uint64) vitality {
	switch {
	case p.missed == beats:
		return dead
	case packets != p.packets:
		p.packets, p.missed = packets, 0
		return living
	}
	if p.missed++; p.missed == beats {
		return dead
	}
	return doubtful
}

// silence is how long nothing had come at the last beat, if timeout has all beats.
func (p *pulse) silence(timeout time.Duration) time.Duration {
	return timeout * time.Duration(p.missed) / beats
}
