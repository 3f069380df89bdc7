package matching

import (
	"fmt"
	"slices"
	"strings"
)

// A history is a sequence of commands for an Engine and the oracle, four
// bytes each, so that chance, a fuzzer and the shrinker can all write it and
// every string of bytes means something. The first command says how many
// contexts, sources, tags and streams there are.
type history []byte

const commandSize = 4

// player runs a history on both and compares them.
type player struct {
	contexts, sources, tags, streams int

	engine Engine
	oracle oracle

	sent     map[flow]Seq         // messages and voids sent so far
	inFlight map[flow][][]*packet // by stream

	receives []*Receive // by id; the same object may serve several ids
	messages []*Message
	spareR   []*Receive // to be used again, as callers do
	spareM   []*Message
	pending  []oracleMatch // matches that Next has not returned yet

	overtaken map[Context]bool // where messages could ever overtake since the last release

	log *strings.Builder // nil: there is no log
}

// packet is a message, or a void, on its way.
type packet struct {
	flow
	tag  Tag
	seq  Seq
	void bool
}

// play runs h and reports the first difference between engine and oracle. It
// writes what happened to log unless that is nil.
func play(h history, log *strings.Builder) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if len(h) < commandSize {
		return nil
	}
	p := &player{
		contexts: 1 + int(h[0])%2,
		sources:  1 + int(h[1])%3,
		tags:     1 + int(h[2])%4,
		streams:  1 + int(h[3])%4,
		sent:     make(map[flow]Seq),
		inFlight: make(map[flow][][]*packet), overtaken: make(map[Context]bool),
		log: log,
	}
	p.logf("%d contexts, %d sources, %d tags, %d streams", p.contexts, p.sources, p.tags, p.streams)
	for h = h[commandSize:]; len(h) >= commandSize; h = h[commandSize:] {
		if err := p.command(h[0], h[1], h[2], h[3]); err != nil {
			return err
		}
		if err := p.compareDepth(); err != nil {
			return err
		}
	}
	return p.finish()
}

func (p *player) logf(format string, args ...any) {
	if p.log != nil {
		fmt.Fprintf(p.log, format+"\n", args...)
	}
}

func (p *player) context(b byte) Context { return Context(int(b) % p.contexts) }
func (p *player) source(b byte) Rank     { return Rank(int(b) % p.sources) }
func (p *player) tag(b byte) Tag         { return Tag(int(b) % p.tags) }
func (p *player) flow(b byte) flow       { return flow{p.context(b), p.source(b >> 1)} }

// pattern reads the pattern of a receive: about a third of each part are
// wildcards.
func (p *player) pattern(b, c byte) (Context, Rank, Tag) {
	source, tag := p.source(b>>1), p.tag(c)
	if b>>4%3 == 0 {
		source = AnySource
	}
	if c>>4%3 == 0 {
		tag = AnyTag
	}
	return p.context(b), source, tag
}

func (p *player) command(op, a, b, c byte) error {
	switch op % 20 {
	case 0, 1, 2, 3:
		p.send(p.flow(a), p.tag(b), false)
	case 4:
		p.send(p.flow(a), p.tag(b), true)
	case 5, 6, 7, 8, 9:
		return p.arrive(p.flow(a), int(b)%p.streams)
	case 10, 11, 12, 13:
		return p.post(p.pattern(a, b))
	case 14:
		return p.probe(p.pattern(a, b))
	case 15:
		return p.take(int(a))
	case 16:
		return p.cancel(int(a), b)
	case 17:
		return p.repeat(p.flow(a), Seq(b), c%2 == 0)
	case 18:
		return p.drain()
	case 19:
		switch {
		case a < 16:
			return p.release(p.context(b))
		case a < 112:
			return p.allowOvertaking(p.context(b), c%2 == 0)
		}
		return p.compareLists()
	}
	return nil
}

// send puts a message or a void onto the stream of its tag. Several tags may
// share one, as they do on the wire.
func (p *player) send(f flow, t Tag, void bool) {
	if p.inFlight[f] == nil {
		p.inFlight[f] = make([][]*packet, p.streams)
	}
	stream := int(t) % p.streams
	p.inFlight[f][stream] = append(p.inFlight[f][stream], &packet{f, t, p.sent[f], void})
	p.sent[f]++
}

// arrive delivers the next packet of a stream.
func (p *player) arrive(f flow, stream int) error {
	if p.inFlight[f] == nil || len(p.inFlight[f][stream]) == 0 {
		return nil
	}
	q := p.inFlight[f][stream]
	k := q[0]
	p.inFlight[f][stream] = q[1:]
	if k.void {
		p.logf("skip (context %d, source %d) seq %d", f.context, f.source, k.seq)
		err := p.engine.Skip(f.context, f.source, k.seq)
		matches, _ := p.oracle.skip(f, k.seq)
		return p.happened("Skip", err == nil, true, matches)
	}
	m := p.message(f, k.tag, k.seq)
	id := len(p.messages)
	p.messages = append(p.messages, m)
	p.logf("arrive m%d (context %d, source %d, tag %d) seq %d", id, f.context, f.source, k.tag, k.seq)
	if k.seq%2 == 1 {
		if r := p.engine.Meet(f.source, &m.Envelope); r != nil {
			return p.met(r, id, &oracleMessage{id: id, flow: f, tag: k.tag, seq: k.seq})
		}
	}
	if k.seq%4 == 2 && p.engine.Quiet(f.context, f.source, k.tag) && p.engine.Pass(f.source, &m.Envelope) {
		return p.passed(id, &oracleMessage{id: id, flow: f, tag: k.tag, seq: k.seq})
	}
	err := p.engine.Arrive(m)
	matches, _ := p.oracle.arrive(&oracleMessage{id: id, flow: f, tag: k.tag, seq: k.seq})
	return p.happened("Arrive", err == nil, true, matches)
}

// passed checks that a receive that had been posted just before would have got a message that was passed by, and that nothing else happens.
func (p *player) passed(id int, m *oracleMessage) error {
	match := oracleMatch{len(p.receives), id}
	if got := p.oracle.post(&oracleReceive{match.receive, m.context, m.source, m.tag}); len(got) > 0 {
		return fmt.Errorf("Quiet, but a receive would have got %s", describe(got))
	}
	if got, _ := p.oracle.arrive(m); len(got) != 1 || got[0] != match {
		return fmt.Errorf("Pass: m%d, want %s", id, describe(got))
	}
	p.logf("  m%d is passed", id)
	p.spareM = append(p.spareM, p.messages[id])
	p.receives, p.messages[id] = append(p.receives, nil), nil
	return nil
}

// met checks that the receive that Meet has returned gets a message, and that nothing else happens.
func (p *player) met(r *Receive, id int, m *oracleMessage) error {
	got := oracleMatch{slices.Index(p.receives, r), id}
	if want, _ := p.oracle.arrive(m); len(want) != 1 || want[0] != got {
		return fmt.Errorf("Meet: r%d, want %s", got.receive, describe(want))
	}
	p.logf("  r%d meets m%d", got.receive, id)
	p.spareR, p.spareM = append(p.spareR, r), append(p.spareM, p.messages[id])
	p.receives[got.receive], p.messages[id] = nil, nil
	return nil
}

// repeat delivers a sequence number that has arrived before.
func (p *player) repeat(f flow, s Seq, void bool) error {
	if p.sent[f] == 0 || !p.oracle.arrived[f][s%p.sent[f]] || p.overtaken[f.context] {
		return nil // where messages could overtake, not every number that comes twice is recognized
	}
	s %= p.sent[f]
	p.logf("repeat (context %d, source %d) seq %d", f.context, f.source, s)
	if void {
		err := p.engine.Skip(f.context, f.source, s)
		matches, ok := p.oracle.skip(f, s)
		return p.happened("Skip", err == nil, ok, matches)
	}
	m := p.message(f, 0, s)
	err := p.engine.Arrive(m)
	p.spareM = append(p.spareM, m)
	matches, ok := p.oracle.arrive(&oracleMessage{id: -1, flow: f, seq: s})
	return p.happened("Arrive", err == nil, ok, matches)
}

func (p *player) message(f flow, t Tag, s Seq) *Message {
	m := new(Message)
	if n := len(p.spareM); n > 0 {
		m, p.spareM = p.spareM[n-1], p.spareM[:n-1]
	}
	m.Envelope = Envelope{Context: f.context, Tag: t, Seq: s}
	m.Source = f.source
	return m
}

func (p *player) post(c Context, source Rank, t Tag) error {
	r := new(Receive)
	if n := len(p.spareR); n > 0 {
		r, p.spareR = p.spareR[n-1], p.spareR[:n-1]
	}
	r.Context, r.Source, r.Tag = c, source, t
	id := len(p.receives)
	p.receives = append(p.receives, r)
	p.logf("post r%d (context %d, source %s, tag %s)", id, c, wild(source), wild(t))
	m := p.engine.Post(r)
	got := -1
	if m != nil {
		if r.Message != m {
			return fmt.Errorf("Post of r%d returned another message than it set", id)
		}
		got = p.messageID(m)
	} else if r.Message != nil {
		return fmt.Errorf("Post left the old message in r%d", id)
	}
	want := -1
	for _, match := range p.oracle.post(&oracleReceive{id, c, source, t}) {
		if match.receive != id || want != -1 {
			return fmt.Errorf("broken oracle: posting r%d matched %+v", id, match)
		}
		want = match.message
	}
	if got != want {
		return fmt.Errorf("Post of r%d took m%d, want m%d", id, got, want)
	}
	if want >= 0 {
		p.logf("  r%d takes m%d", id, want)
		p.spareR, p.spareM = append(p.spareR, r), append(p.spareM, m)
		p.receives[id], p.messages[want] = nil, nil
	}
	return nil
}

func (p *player) probe(c Context, source Rank, t Tag) error {
	want := -1
	if m := p.oracle.probe(&oracleReceive{-1, c, source, t}); m != nil {
		want = m.id
	}
	got := -1
	if m := p.engine.Probe(c, source, t); m != nil {
		got = p.messageID(m)
	}
	p.logf("probe (context %d, source %s, tag %s): m%d", c, wild(source), wild(t), want)
	if got != want {
		return fmt.Errorf("Probe(%d, %s, %s) returned m%d, want m%d", c, wild(source), wild(t), got, want)
	}
	return nil
}

// take removes one of the unexpected messages.
func (p *player) take(i int) error {
	if len(p.oracle.unexpected) == 0 {
		return nil
	}
	id := p.oracle.unexpected[i%len(p.oracle.unexpected)].id
	m := p.messages[id]
	p.logf("take m%d", id)
	ok := p.engine.Take(m)
	matches, _ := p.oracle.take(id)
	if again := p.engine.Take(m); again {
		return fmt.Errorf("Take took m%d twice", id)
	}
	p.spareM = append(p.spareM, m)
	p.messages[id] = nil
	return p.happened("Take", ok, true, matches)
}

// cancel withdraws a posted receive, or tries to withdraw one that matched
// and that Next has not returned yet.
func (p *player) cancel(i int, b byte) error {
	if b%4 == 0 && len(p.pending) > 0 {
		id := p.pending[i%len(p.pending)].receive
		p.logf("cancel r%d, which has matched", id)
		return p.happened("Cancel", p.engine.Cancel(p.receives[id]), false, nil)
	}
	if len(p.oracle.posted) == 0 {
		return nil
	}
	id := p.oracle.posted[i%len(p.oracle.posted)].id
	r := p.receives[id]
	p.logf("cancel r%d", id)
	ok := p.engine.Cancel(r)
	matches, _ := p.oracle.cancel(id)
	if again := p.engine.Cancel(r); again {
		return fmt.Errorf("Cancel withdrew r%d twice", id)
	}
	p.spareR = append(p.spareR, r)
	p.receives[id] = nil
	return p.happened("Cancel", ok, true, matches)
}

func (p *player) allowOvertaking(c Context, allowed bool) error {
	p.logf("allow overtaking in context %d: %t", c, allowed)
	p.engine.AllowOvertaking(c, allowed)
	if allowed {
		p.overtaken[c] = true
	}
	return p.happened("AllowOvertaking", true, true, p.oracle.allowOvertaking(c, allowed))
}

func (p *player) release(c Context) error {
	delete(p.overtaken, c)
	p.logf("release context %d", c)
	for _, r := range p.oracle.posted {
		if r.context == c {
			p.spareR = append(p.spareR, p.receives[r.id])
			p.receives[r.id] = nil
		}
	}
	for _, m := range p.oracle.unexpected {
		if m.context == c {
			p.spareM = append(p.spareM, p.messages[m.id])
			p.messages[m.id] = nil
		}
	}
	p.engine.Release(c)
	p.oracle.release(c)
	for s := range p.sources {
		delete(p.sent, flow{c, Rank(s)})
		delete(p.inFlight, flow{c, Rank(s)})
	}
	return nil
}

// happened compares the outcome of a call, and notes the matches that Next
// must return.
func (p *player) happened(call string, got, want bool, matches []oracleMatch) error {
	if got != want {
		return fmt.Errorf("%s succeeded: %t, want %t", call, got, want)
	}
	for _, match := range matches {
		p.logf("  r%d takes m%d", match.receive, match.message)
	}
	p.pending = append(p.pending, matches...)
	return nil
}

// drain empties Next. The rules say which receive matches which message, not in
// which order matches of one call are reported.
func (p *player) drain() error {
	for r := p.engine.Next(); r != nil; r = p.engine.Next() {
		got := oracleMatch{slices.Index(p.receives, r), p.messageID(r.Message)}
		i := slices.Index(p.pending, got)
		if i < 0 {
			return fmt.Errorf("Next: r%d took m%d, want %s", got.receive, got.message, describe(p.pending))
		}
		p.pending = slices.Delete(p.pending, i, i+1)
		p.spareR, p.spareM = append(p.spareR, r), append(p.spareM, r.Message)
		p.receives[got.receive], p.messages[got.message] = nil, nil
	}
	if len(p.pending) > 0 {
		return fmt.Errorf("Next: nothing, want %s", describe(p.pending))
	}
	return nil
}
