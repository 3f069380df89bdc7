package shm

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// stage says how a peer is reached.
type stage uint8

const (
	undecided stage = iota
	deciding        // the peers meet
	shared          // by shared memory
	elsewhere       // by the network, for ever
	gone            // was reached by shared memory, and has failed or finalized
)

// peer is another process of the job. The transport's lock guards it, unless said otherwise.
type peer struct {
	rank  matching.Rank
	stage stage
	queue *progression.Queue // frames that the link has not taken
	// While deciding: this process has begun a meeting; it has welcomed one that the peer has begun.
	dialing, accepting bool
	// lost is why it has been given up while deciding. It fails when that is decided.
	lost error

	neighbour neighbour
	in        *ring.Consumer // guarded by the progress token
	out       *ring.Producer
	notifier  *ring.Notifier
	lends     bool // it can read what is lent to it
	loans     loans
	// returned says which of its loans have been read, or could not be: records for it.
	returned []recordHeader
	pieces   pieces
	lent     []read // by it
	// rung: it is among Link.bells.
	rung bool

	reader progression.Reader
	// bye: a Bye has been queued for it. ended: its own has come. broken is what is wrong with the ring to it.
	bye, ended bool
	broken     error
}

// neighbour is what else is known of the process that has a peer, beside the rings.
type neighbour interface {
	// lend lets the peer read b, as the loan with this number, and returns the address to tell it. returned ends the loan.
	lend(id uint32, b []byte) (address uint64)
	returned(id uint32)
	// read reads a loan of the peer's, from an offset on. After an error what is in dst is not defined.
	read(dst []byte, id uint32, address uint64, offset int) error
	// wake wakes the peer, if it sleeps.
	wake()
	// leave ends all loans: no read by the peer counts that ends later. It follows Producer.Close.
	leave()
	// close gives up the memory that is shared. wake may still be called until forget.
	close()
	forget()
}

// busy reports whether something that belongs to the layer has not reached the peer yet.
func (p *peer) busy() bool {
	return !p.queue.Empty() || p.loans.open > 0 || !p.pieces.empty() || len(p.returned) > 0
}

// carried shows the frames that have left the queue.
func (p *peer) carried(show func(*progression.Frame)) {
	for i := range p.loans.frames {
		if f := p.loans.frames[i]; f != nil {
			show(f)
		}
	}
	p.pieces.each(show)
}

// drop gives back the frames for a peer that will never get them.
func (l *Link) drop(p *peer) {
	for f := p.queue.Pop(); f != nil; f = p.queue.Pop() {
		l.layer.Dropped(f)
	}
	for id, f := range p.loans.frames {
		if f != nil {
			l.layer.Dropped(p.loans.take(uint32(id)))
		}
	}
	for f := p.pieces.pop(); f != nil; f = p.pieces.pop() {
		l.layer.Dropped(f)
	}
}

// fail notes that a peer with which memory is shared is gone: it has failed, or had finalized and is gone now. If it lives, it learns
// that it is given up. The progress token is held too.
func (l *Link) fail(p *peer, cause error) {
	if p.stage == shared {
		p.out.GiveUp()
		l.detach(p, func() { l.layer.Fail(p.rank, cause) })
	}
}

// turnsAtEnd is in how many turns of take all records are taken that a ring can hold.
const turnsAtEnd = ring.MaxRingSize/ring.LineSize/recordsInTurn + 1

// failAtEnd takes in what a peer had written before its end, and then fails it. One that is only taken for dead may write for ever: no more
// is taken in than the ring can hold. The progress token is held too.
func (l *Link) failAtEnd(p *peer, cause error) {
	for turn := 0; turn < turnsAtEnd && p.stage == shared && p.in.Ready(); turn++ {
		l.take(p)
	}
	l.fail(p, cause)
}

// timeToConclude is how long the meeting with a peer that has been given up has to end. The kernel ends it at once if the peer is dead.
const timeToConclude = time.Second

// GiveUp ends the use of memory that is shared with a peer which is taken for dead. What it had written before is taken in first: while
// they meet, the peer may have concluded that, and have written. It reports false if the peer is not, and will not be, reached by shared
// memory.
func (l *Link) GiveUp(rank matching.Rank, cause error) (done bool) {
	if l.off {
		return false
	}
	l.update(func() {
		switch p := l.peer(rank); {
		case l.life.Over:
			done = true
		case p.stage == shared:
			l.failAtEnd(p, cause)
			done = true
		case p.stage == deciding:
			l.awaitEnd(p, cause)
			done = true
		case p.stage == gone:
			done = true
		default:
			p.stage = elsewhere // it will never be met
		}
	})
	return done
}

// awaitEnd has a peer fail when the meeting with it has ended.
func (l *Link) awaitEnd(p *peer, cause error) {
	if p.lost != nil {
		return
	}
	p.lost = cause
	l.life.Go(func() {
		select {
		case <-time.After(timeToConclude):
			l.failUndecided(p, cause)
		case <-l.life.Context.Done():
		}
	})
}

// detach ends the use of the memory that is shared with a peer. fail is called when nothing of this process is lent any more.
func (l *Link) detach(p *peer, fail func()) {
	p.stage = gone
	p.out.Close()
	l.tell(p)
	l.inbox.Detach(int(p.rank))
	l.attached.Add(-1)
	l.reads.remove(p)
	p.neighbour.leave()
	fail()
	l.watches.lose()
	l.drop(p)
	p.neighbour.close()
	p.in, p.out, p.notifier, p.returned, p.reader = nil, nil, nil, nil, progression.Reader{}
	l.life.Changed()
}

// loans are the frames whose bodies are lent to a peer, by their numbers.
type loans struct {
	frames []*progression.Frame
	free   []uint32
	open   int
}

func (s *loans) add(f *progression.Frame) (id uint32) {
	s.open++
	if n := len(s.free); n > 0 {
		id = s.free[n-1]
		s.free = s.free[:n-1]
		s.frames[id] = f
		return id
	}
	s.frames = append(s.frames, f)
	return uint32(len(s.frames) - 1)
}

// get is the frame of a loan, nil if there is none.
func (s *loans) get(id uint32) *progression.Frame {
	if uint64(id) >= uint64(len(s.frames)) {
		return nil
	}
	return s.frames[id]
}

// take ends a loan, and returns its frame, nil if there is none.
func (s *loans) take(id uint32) *progression.Frame {
	f := s.get(id)
	if f == nil {
		return nil
	}
	s.frames[id] = nil
	s.free = append(s.free, id)
	s.open--
	return f
}
