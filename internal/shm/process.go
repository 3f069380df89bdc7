package shm

import (
	"context"
	"fmt"
	"os"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/onecopy"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/matching"
)

// Processes of one host map segments that they have handed over when they met.

func (l *Link) rank() matching.Rank { return matching.Rank(l.cfg.Rank) }

func (l *Link) meetingConfig() meeting.Config {
	return meeting.Config{
		Token: l.cfg.Token, Rank: l.cfg.Rank, Size: l.cfg.Size, Admit: l.admit,
		MaxBytes: int64(2*ring.MaxRingSize + wholePages(ring.InboxSize(l.cfg.Size))),
	}
}

// accept takes in the meetings that peers begin.
func (l *Link) accept() {
	for {
		m, err := l.listener.Accept(l.life.Context)
		if err != nil {
			return
		}
		l.life.Go(func() {
			ctx, cancel := l.cfg.Connecting(l.life.Context)
			defer cancel()
			if l.share(ctx, m, false) != nil {
				l.update(func() { l.accepted(l.peer(matching.Rank(m.Rank))) })
			}
		})
	}
}

// share hands over memory in a meeting, and puts it into use if both want that. The one that has begun the meeting makes the
// memory of the pair. It ends the meeting.
func (l *Link) share(ctx context.Context, m *meeting.Meeting, began bool) error {
	defer m.Close()
	e, err := l.exchange(ctx, m, began)
	if err != nil {
		m.Refuse(err)
		l.notice(m.Rank, err)
		return err
	}
	n := e.neighbour.(*process)
	said, err := m.Conclude(ctx, conclusion(n.reader.Probe(n.beacon) == nil))
	l.lock.Lock()
	p := l.peer(matching.Rank(m.Rank))
	l.lock.Unlock()
	switch {
	case err == nil && len(said) == 1:
		e.lends = said[0] == 1
		if err := l.attach(p, e); err != nil {
			return err
		}
		l.watch(n, p.rank)
		return nil
	case err == nil:
		err = fmt.Errorf("%w: a conclusion of %d bytes", meeting.ErrGarbage, len(said))
	case ctx.Err() != nil:
		l.failUndecided(p, context.Cause(ctx))
	}
	e.leave()      // the peer may have concluded
	n.pair.Close() // the rest is the meeting's
	return err
}

// conclusion tells a peer whether this process can read its memory.
func conclusion(reads bool) []byte {
	if reads {
		return []byte{1}
	}
	return []byte{0}
}

// exchange makes this process's end of what two peers hand over to each other.
func (l *Link) exchange(ctx context.Context, m *meeting.Meeting, began bool) (e *end, err error) {
	our, err := l.useInbox(inSegment)
	if err != nil {
		return nil, err
	}
	if our.segment == nil || l.doorbell == nil {
		return nil, errNoDoorbell
	}
	offer := meeting.Offer{
		Segments: []*meeting.Segment{our.segment}, Doorbell: l.doorbell, Data: l.beacon.Encode(),
	}
	var pair *meeting.Segment
	defer func() {
		if err != nil && began && pair != nil {
			pair.Close()
		}
	}()
	if began {
		if pair, err = meeting.NewSegment(wholePages(ring.PairSize(l.cfg.LocalSize))); err != nil {
			return nil, err
		}
		if err = formatPair(pair.Bytes()); err != nil {
			return nil, err
		}
		offer.Segments = append(offer.Segments, pair)
	}
	theirs, err := m.Exchange(ctx, offer)
	if err != nil {
		return nil, err
	}
	made := 0
	if began {
		pair.CloseFile()
		made = len(pair.Bytes())
	}
	if len(theirs.Segments) != 2-len(offer.Segments)+1 || theirs.Doorbell == nil || len(theirs.Data) != onecopy.BeaconSize {
		return nil, fmt.Errorf("%w: an offer of %d segments", meeting.ErrGarbage, len(theirs.Segments))
	}
	if !began {
		pair = theirs.Segments[1]
	}
	inbox := theirs.Segments[0].Bytes()
	if len(inbox) < ring.InboxSize(l.cfg.Size) {
		return nil, fmt.Errorf("%w: an inbox of %d bytes", meeting.ErrSegment, len(inbox))
	}
	e, err = newEnd(pair.Bytes(), inbox[:ring.InboxSize(l.cfg.Size)], l.cfg.Rank < m.Rank, l.cfg.Rank, l.cfg.Size)
	if err != nil {
		return nil, err
	}
	e.made = made
	e.neighbour = &process{
		pair: pair, inbox: theirs.Segments[0], doorbell: theirs.Doorbell, process: m.Process,
		reader: onecopy.NewReader(m.Process.PID, m.Process.Pidfd), beacon: theirs.Data,
	}
	return e, nil
}

func wholePages(size int) int {
	page := os.Getpagesize()
	return (size + page - 1) / page * page
}

func inSegment(size int) ([]byte, *meeting.Segment, error) {
	s, err := meeting.NewSegment(wholePages(size))
	if err != nil {
		return nil, nil, err
	}
	return s.Bytes(), s, nil
}

// process is the neighbour in another process.
type process struct {
	pair, inbox *meeting.Segment
	doorbell    *meeting.Doorbell
	process     meeting.Process
	reader      *onecopy.Reader
	beacon      []byte
	pins        []*onecopy.Pin // by the number of the loan
}

func (n *process) lend(id uint32, b []byte) (address uint64) {
	for int(id) >= len(n.pins) {
		n.pins = append(n.pins, new(onecopy.Pin))
	}
	n.pins[id].Announce(b)
	return n.pins[id].Address()
}

func (n *process) returned(id uint32) { n.pins[id].Release() }

func (n *process) read(dst []byte, _ uint32, address uint64, offset int) error {
	_, err := n.reader.Read(dst, address+uint64(offset))
	return err
}

func (n *process) wake() { _ = n.doorbell.Ring() } // if it fails the peer has ended

func (n *process) leave() {
	for _, pin := range n.pins {
		pin.Release()
	}
}

func (n *process) close() {
	n.pair.Close()
	n.inbox.Close()
	n.process.Close()
}

func (n *process) forget() { n.doorbell.Close() }

// watch has the death of a peer's process noticed.
func (l *Link) watch(n *process, rank matching.Rank) {
	l.life.Progress.Lock()
	defer l.life.Progress.Unlock()
	l.lock.Lock()
	defer l.lock.Unlock()
	p := l.peers[rank]
	if p.stage != shared || l.life.Over {
		return // the pidfd is closed
	}
	if l.deaths == nil {
		d, err := newDeaths()
		if err != nil {
			l.fail(p, err)
			return
		}
		l.deaths = d
		l.life.Go(func() { d.run(l.died) })
	}
	if err := l.deaths.add(n.process.Pidfd, int(rank)); err != nil {
		l.fail(p, err)
	}
}

// died takes in that the process of a peer has ended. What it had written before is taken in first.
func (l *Link) died(rank int) {
	l.update(func() { l.failAtEnd(l.peers[rank], errLeft) })
}
