package trc

import "github.com/sctpmpi/sctpmpi/matching"

// A Want names a pattern, or the TRC of a Short, in the field ID. An any-tag receive waits for the first message of a WantedDue.
const (
	WantedPattern = iota
	WantedKey
	WantedDue
)

// Short takes in that TRCs of a peer wait for channels, the one of the note among them. The peer is told if an operation waits
// for a message of it, and from now on of those that begin to wait, until it says Ample.
func (l *Layer) Short(p *Peer, n Note) error {
	k := Key{n.Context, n.Tag}
	if !l.Valid(k) {
		return Violation("%v waits for a channel", k)
	}
	if !p.short {
		p.short = true
		l.short++
	}
	if how, ok := l.wanted(p, k.Context&^apart, matching.Tag(n.ID), n.Seq); ok {
		n.Kind, n.ID = Want, how
		l.Tell(p, n)
	}
	return nil
}

// Ample takes in that no TRC of a peer waits for a channel.
func (l *Layer) Ample(p *Peer) {
	if p.short {
		l.short--
	}
	p.short, p.asked = false, nil
}

// wanted reports whether an operation waits for a message.
func (l *Layer) wanted(p *Peer, c matching.Context, tag matching.Tag, seq matching.Seq) (how uint32, ok bool) {
	byTag, anyTag := l.Match.Awaited(c, p.Rank, tag)
	_, polled := p.asked[Key{c, tag}]
	_, polledAny := p.asked[Key{c, matching.AnyTag}]
	byTag, anyTag = byTag || polled, anyTag || polledAny
	for _, r := range l.Probes {
		if r.Context == c && (r.Peer == p.Rank || r.Peer == matching.AnySource) {
			byTag = byTag || r.Tag == tag
			anyTag = anyTag || r.Tag == matching.AnyTag
		}
	}
	if anyTag && seq <= l.Match.Due(c, p.Rank) {
		return WantedDue, true
	}
	return WantedKey, byTag
}

// demand tells the peers whose TRCs wait for channels that an operation waits for their messages.
func (l *Layer) demand(c matching.Context, source matching.Rank, tag matching.Tag) {
	if l.short == 0 {
		return
	}
	if source != matching.AnySource {
		l.ask(&l.peers[source], c, tag)
		return
	}
	for i := range l.peers {
		l.ask(&l.peers[i], c, tag)
	}
}

// ask tells a peer what an operation waits for, once until a message comes.
func (l *Layer) ask(p *Peer, c matching.Context, tag matching.Tag) {
	if !p.short {
		return
	}
	seq := matching.Seq(0)
	if tag == matching.AnyTag {
		seq = l.Match.Due(c, p.Rank)
	}
	k := Key{c, tag}
	if last, ok := p.asked[k]; ok && last == seq {
		return
	}
	if p.asked == nil {
		p.asked = make(map[Key]matching.Seq)
	}
	p.asked[k] = seq
	l.Tell(p, Note{Kind: Want, ID: WantedPattern, Context: c, Tag: tag, Seq: seq})
}

// came notes that a message has come from a peer, or never will: an any-tag receive may wait for the one behind it.
func (l *Layer) came(p *Peer, c matching.Context, tag matching.Tag) {
	if !p.short {
		return
	}
	delete(p.asked, Key{c, tag})
	if _, anyTag := l.Match.Awaited(c, p.Rank, tag); anyTag {
		l.ask(p, c, matching.AnyTag)
	}
}

// Seq returns the sequence number of the message.
func (f *Frame) Seq() matching.Seq { return f.seq }

// TellShort notes that a TRC waits for a channel: its receiver is told, of each message where those of several operations are in a TRC.
func (l *Layer) TellShort(o *Outgoing) {
	for f := o.head; f != nil; f = f.Next {
		l.Tell(o.Peer, Note{Kind: Short, ID: uint32(f.tag), Context: o.Key.Context, Tag: o.Key.Tag, Seq: f.seq})
		if !shared(o.Key.Context) {
			return
		}
	}
}

// Wanted reports whether a receive or probe may wait for a message of the TRC, and returns the sequence number of that. An any-tag
// one waits for the first, if that is seq or was sent before it.
func (o *Outgoing) Wanted(c matching.Context, tag matching.Tag, seq matching.Seq) (_ matching.Seq, ok bool) {
	if o.Key.Context&^apart != c {
		return 0, false
	}
	if tag == matching.AnyTag {
		return o.head.seq, o.head.seq <= seq
	}
	for f := o.head; f != nil; f = f.Next {
		if f.tag == tag {
			return f.seq, true
		}
		if !shared(o.Key.Context) {
			break
		}
	}
	return 0, false
}

// Shared reports whether messages with several tags are in the TRC.
func (o *Outgoing) Shared() bool { return shared(o.Key.Context) }
