package streams

// Pool is how the streams of one direction share what of them may be unread, counted in charges
// (wire.StreamCharge). Each may have base unread, whatever the others have. What a stream has beyond
// is taken from the pool. A stream may take as much as is free of it, or a fixed part of that: so
// each that takes leaves something for the next (dynamic thresholds: Choudhury and Hahne, "Dynamic
// queue length thresholds for shared-memory packet switches", IEEE/ACM Transactions on Networking,
// 1998). Streams of which the peer has read something are told from those of which it has read
// nothing yet, which get half of the pool at most. All together never take more than the pool, if
// none sends more than it is allowed.
//
// The sender keeps to it. The receiver has a Pool of its own, to estimate what the sender may do.
// The zero Pool is off.
type Pool struct {
	limit, base, size int
	// total is what is taken of the pool, unread what streams have taken that have not been read.
	total, unread int
}

// Share is what a stream has of a Pool.
type Share struct {
	over int // what it has taken of the pool
	// Read says that something of the stream has been read.
	Read bool
}

// NewPool returns a Pool of so many bytes. A stream has at most limit unread, if that is not 0.
func NewPool(limit, base, size int) Pool {
	if limit == 0 {
		limit = base + size
	}
	return Pool{limit: limit, base: base, size: size}
}

// On reports whether there is a pool.
func (p *Pool) On() bool { return p.size > 0 }

// Base returns what each stream may have unread whatever others have.
func (p *Pool) Base() int { return p.base }

// Limit returns what a stream may have unread at most.
func (p *Pool) Limit() int { return p.limit }

// Threshold returns how much a stream may take of the pool, if something of it has been read, or if
// nothing has been.
func (p *Pool) Threshold(read bool) int {
	if read {
		return max((p.size-p.total)/4, 0)
	}
	return max(min(p.size/2-p.unread, p.size-p.total), 0)
}

// Allowance returns how much a stream may have unread now.
func (p *Pool) Allowance(s *Share) int { return min(p.limit, p.base+p.Threshold(s.Read)) }

// Scarce reports whether more than 5/16 of the pool are taken. One stream that is not read takes a quarter: by that alone
// it is not scarce.
func (p *Pool) Scarce() bool { return p.total > p.size/16*5 }

// Set notes how much of a stream is unread, and whether something of it has ever been read.
func (p *Pool) Set(s *Share, unread int, read bool) {
	over := max(unread-p.base, 0)
	p.total += over - s.over
	if !s.Read {
		p.unread -= s.over
	}
	if !read {
		p.unread += over
	}
	s.over, s.Read = over, read
}

// Over returns what a stream has taken of the pool.
func (s *Share) Over() int { return s.over }
