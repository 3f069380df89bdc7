package file

// request is what a rank wants of a collective access: bytes from a position of its view.
type request struct {
	*view
	from, to    int64 // positions
	first, last int64 // in the file: where it begins and ends
}

// plan is how a collective access goes in two phases. All ranks make the same one. The file between low and high is divided
// among the aggregators; each goes through its domain in rounds, of a window each.
type plan struct {
	requests    []request
	low, high   int64
	aggregators int
	domain      int64
	window      int64
	rounds      int64
}

// The bounds of what an aggregator gets, in bytes.
const (
	leastDomain = 64 << 10
	align       = 4 << 10
	leastWindow = 16 << 10
)

// sparse is how many bytes of the file there must be for each that is accessed, so that going through all of them is slower
// than a system call for each piece.
const sparse = 64

// large is how many bytes pieces have, on average, that one system call each moves faster than messages and longer calls do:
// with 64 KiB independent writes are three times as fast, with 8 KiB half as fast.
const large = 32 << 10

// newPlan returns false if each rank had better access the file by itself.
func newPlan(requests []request, h *hints) (plan, bool) {
	p := plan{requests: requests}
	wanted, pieces := int64(0), int64(0)
	for _, r := range requests {
		if r.view == nil || r.overlaps {
			return p, false
		}
		if r.from == r.to {
			continue
		}
		if wanted == 0 || r.first < p.low {
			p.low = r.first
		}
		p.high = max(p.high, r.last)
		wanted += r.to - r.from
		pieces += r.pieceCount()
	}
	span := p.high - p.low
	if wanted == 0 || h.never || !h.always && (span/sparse > wanted || wanted/pieces >= large || !interleaved(requests)) {
		return p, false
	}
	p.aggregators = int(min(int64(h.aggregators), int64(len(requests)), (span-1)/leastDomain+1))
	p.domain = roundUp((span-1)/int64(p.aggregators)+1, align)
	// What all ranks want of one window must fit into an aggregator's memory.
	p.window = min(p.domain, max(leastWindow, roundUp(h.buffer/((wanted-1)/span+1), align)))
	p.rounds = (p.domain-1)/p.window + 1
	return p, true
}

func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// interleaved reports whether parts of the file between the ends of one request belong to another.
func interleaved(requests []request) bool {
	end := int64(-1)
	for _, r := range requests { // as in most programs, which give the ranks the file in their order
		if r.from == r.to {
			continue
		}
		if r.first < end {
			return true
		}
		end = r.last
	}
	return false
}

// aggregator is the rank that has domain i.
func (p *plan) aggregator(i int) int { return i * len(p.requests) / p.aggregators }

// domainOf is the domain that a rank has, -1 if it has none.
func (p *plan) domainOf(rank int) int {
	for i := range p.aggregators {
		if p.aggregator(i) == rank {
			return i
		}
	}
	return -1
}

// windowOf is where the window of domain i in a round begins and ends. It may be empty.
func (p *plan) windowOf(i int, round int64) (from, to int64) {
	start := p.low + int64(i)*p.domain
	end := min(start+p.domain, p.high)
	from = start + round*p.window
	return from, min(from+p.window, end)
}

// pieceCount is about how many pieces the request has.
func (r *request) pieceCount() int64 {
	if r.dense {
		return 1
	}
	return ((r.to-1)/r.size - r.from/r.size + 1) * r.parts
}

// within are the positions of a request whose offsets are from from on and before to.
func (r *request) within(from, to int64) (first, last int64) {
	if r.from == r.to || from >= to || from >= r.last || to <= r.first {
		return r.from, r.from
	}
	first = r.before(from, r.from, r.to)
	return first, r.before(to, first, r.to)
}
