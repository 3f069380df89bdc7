package ring

import (
	"fmt"
	"math/bits"
	"sync/atomic"
)

// An inbox: format, asleep, the processor of the rank, and one bit for each rank.
const (
	asleepOffset    = 1 * wordSize
	processorOffset = 2 * wordSize
	bitmapOffset    = 3 * wordSize
)

func bitmapWords(ranks int) int { return (ranks + 63) / 64 }

// FormatInbox makes an inbox for this many ranks of mem, which must be zero and begin at a multiple of LineSize. Errors:
// ErrMemory.
func FormatInbox(mem []byte, ranks int) error {
	if err := checkInbox(mem, ranks); err != nil {
		return err
	}
	wordAt(mem, formatOffset).Store(inboxFormat | uint64(ranks))
	return nil
}

func checkInbox(mem []byte, ranks int) error {
	if ranks < 1 || ranks > MaxRanks {
		return fmt.Errorf("%w: %d ranks", ErrMemory, ranks)
	}
	return check(mem, InboxSize(ranks))
}

// inboxWords are those of an inbox.
type inboxWords struct {
	asleep *atomic.Uint64
	// processor is the number of the one that has run the rank lately, and 1; 0: the rank has not said.
	processor *atomic.Uint64
	bitmap    []*atomic.Uint64
}

func openInbox(mem []byte, ranks int) (w inboxWords, err error) {
	if err = checkInbox(mem, ranks); err == nil {
		err = checkFormat(mem, inboxFormat|uint64(ranks))
	}
	if err != nil {
		return inboxWords{}, err
	}
	w = inboxWords{asleep: wordAt(mem, asleepOffset), processor: wordAt(mem, processorOffset)}
	for i := range bitmapWords(ranks) {
		w.bitmap = append(w.bitmap, wordAt(mem, bitmapOffset+i*wordSize))
	}
	return w, nil
}

const (
	// hotPeers is how many rings are looked at each time.
	hotPeers = 4
	// flaggedPeers is how many others are, at most, of those whose bits are set.
	flaggedPeers = 4
	// MaxReady is how many peers Look returns at most.
	MaxReady = hotPeers + flaggedPeers
)

// Inbox finds the peers that a rank has something to do for: a frame of theirs is in the ring from them, or there is
// room again in the ring to them after Producer.Starve, or they have closed their end. Peers are numbered by their places among the ranks of the host.
// It is for one goroutine at a time, the one that has the ends of the rings.
type Inbox struct {
	inboxWords
	peers  []peer
	known  []uint64 // bits of the peers that are attached
	isHot  []uint64 // bits of those in hot
	hot    []int    // the peers whose rings are looked at each time
	cursor int      // the peer at which the next look at the bitmap begins
	looks  uint64   // how many there have been
}

type peer struct {
	in       *Consumer
	out      *Producer
	notifier *Notifier
	active   uint64 // the last look that found something, while hot
}

// stirs reports whether there is something to do for a peer that lives.
func (p *peer) stirs() bool { return p.in.Ready() || p.out.relieved() }

// calls reports whether there is something to do, or the peer has closed its end.
func (p *peer) calls() bool { return p.stirs() || p.in.Closed() }

// endEvery is after how many looks those that have been looked at each time are asked whether they have closed their end.
const endEvery = 256

// NewInbox opens this rank's own inbox, which has been formatted for this many ranks. Errors: ErrMemory, ErrFormat.
func NewInbox(mem []byte, ranks int) (*Inbox, error) {
	w, err := openInbox(mem, ranks)
	if err != nil {
		return nil, err
	}
	return &Inbox{
		inboxWords: w, peers: make([]peer, ranks),
		known: make([]uint64, len(w.bitmap)), isHot: make([]uint64, len(w.bitmap)), hot: make([]int, 0, hotPeers),
	}, nil
}

// Attach adds a peer, this rank's ends of the two rings, and the peer's inbox. What the peer has put into its ring before is
// found too.
func (b *Inbox) Attach(number int, in *Consumer, out *Producer, n *Notifier) {
	b.peers[number] = peer{in: in, out: out, notifier: n}
	b.known[number/64] |= bit(number)
	b.mark(number)
}

// Detach ends looking at a peer's rings.
func (b *Inbox) Detach(number int) {
	for i, n := range b.hot {
		if n == number {
			b.hot = append(b.hot[:i], b.hot[i+1:]...)
			break
		}
	}
	b.isHot[number/64] &^= bit(number)
	b.known[number/64] &^= bit(number)
	b.peers[number] = peer{}
}

// Look appends to ready the peers that there is something to do for, at most MaxReady, and returns it. A peer that is
// left as it is will be found again, as will one whose ring is broken, until Detach. If there is nothing a look reads one word of each of the rings that were active last
// and one for each 64 ranks.
func (b *Inbox) Look(ready []int) []int {
	b.looks++
	for _, number := range b.hot {
		if p := &b.peers[number]; p.stirs() || b.looks%endEvery == 0 && p.in.Closed() {
			p.active = b.looks
			ready = append(ready, number)
		}
	}
	if !b.flagged() {
		return ready
	}
	return b.lookAtFlagged(ready)
}

// flagged reports whether there is a peer that is not hot and has its bit set.
func (b *Inbox) flagged() bool {
	var all uint64
	for i, word := range b.bitmap {
		all |= word.Load() & b.known[i] &^ b.isHot[i]
	}
	return all != 0
}

// lookAtFlagged looks at some of the peers whose bits are set, in turn.
func (b *Inbox) lookAtFlagged(ready []int) []int {
	budget, start := flaggedPeers, b.cursor
	for _, part := range [2][2]int{{start, len(b.peers)}, {0, start}} {
		for number := b.nextFlagged(part[0], part[1]); number >= 0; number = b.nextFlagged(number+1, part[1]) {
			if budget == 0 {
				return ready
			}
			budget--
			b.cursor = number + 1
			if b.peers[number].calls() || b.lower(number) {
				ready = append(ready, number)
				b.promote(number)
			}
		}
	}
	return ready
}

// nextFlagged is the first peer from one number to before another that is not hot and has its bit set, or -1.
func (b *Inbox) nextFlagged(from, to int) int {
	for from < to {
		i := from / 64
		rest := (b.bitmap[i].Load() & b.known[i] &^ b.isHot[i]) >> (from % 64)
		if rest != 0 {
			number := from + bits.TrailingZeros64(rest)
			if number < to {
				return number
			}
			return -1
		}
		from = (i + 1) * 64
	}
	return -1
}

// lower clears a peer's bit, looks once more, and sets it again if there is something to do after all, which it reports.
func (b *Inbox) lower(number int) (stirs bool) {
	b.bitmap[number/64].And(^bit(number))
	if !b.peers[number].calls() {
		return false
	}
	b.mark(number)
	return true
}

func (b *Inbox) mark(number int) { b.bitmap[number/64].Or(bit(number)) }

// promote makes a peer hot that is active, in place of the one that has not been for longest, unless all are.
func (b *Inbox) promote(number int) {
	if len(b.hot) < hotPeers {
		b.hot = append(b.hot, number)
	} else {
		oldest := 0
		for i, n := range b.hot {
			if b.peers[n].active < b.peers[b.hot[oldest]].active {
				oldest = i
			}
		}
		victim := b.hot[oldest]
		if b.peers[victim].active == b.looks {
			return
		}
		b.hot[oldest] = number
		b.isHot[victim/64] &^= bit(victim)
		b.lower(victim)
	}
	b.isHot[number/64] |= bit(number)
	b.peers[number].active = b.looks
}

// Beside says which processor runs this rank, and reports whether one of the peers whose rings are looked at each time has said the
// same of itself: that one can go on only when this rank gives the processor up.
func (b *Inbox) Beside(processor int) bool {
	word := uint64(processor) + 1
	if b.processor.Load() != word {
		b.processor.Store(word)
	}
	for _, number := range b.hot {
		if b.peers[number].notifier.processor.Load() == word {
			return true
		}
	}
	return false
}

// Sleep says that this rank is about to wait for its doorbell, and looks once more. If there may be something to do it
// returns false, and the rank must not wait.
func (b *Inbox) Sleep() bool {
	b.asleep.Store(1)
	busy := b.flagged()
	for _, number := range b.hot {
		busy = busy || b.peers[number].calls()
	}
	if busy {
		b.Awake()
	}
	return !busy
}

// Awake says that this rank needs no doorbell. It is called after a wait, whatever ended it. A doorbell that a sender has
// begun to ring may still come: a wait that ends without a cause is nothing special.
func (b *Inbox) Awake() { b.asleep.Store(0) }

func bit(number int) uint64 { return 1 << (number % 64) }
