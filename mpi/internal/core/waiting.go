package core

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// report says what the process waits for. It wakes the calls that wait, so that they tell where
// they are.
func (p *process) report() hang.Rank {
	s := p.located()
	r := hang.Rank{Rank: p.rank, More: s.MoreWaits, Beside: p.beside(&s, p.suspected())}
	if o := p.other.Load(); o != nil {
		r.Waits = append(r.Waits, hang.Wait{In: o.in, For: o.what, Time: time.Since(o.since)})
	}
	var seen []*rpi.Waiter
	for _, o := range s.Waits {
		switch {
		case slices.Contains(seen, o.Waiter):
		case len(r.Waits) == hang.MaxWaits:
			r.More++
			seen = append(seen, o.Waiter)
		default:
			r.Waits = append(r.Waits, p.wait(o, &s))
			seen = append(seen, o.Waiter)
		}
	}
	return r
}

// locateTime is how long, in all, report waits for calls to tell where they are.
const locateTime = 250 * time.Millisecond

// located returns what is pending, with the places of the calls that wait as far as they can tell.
func (p *process) located() rpi.Snapshot {
	for pause := time.Millisecond; ; pause *= 2 {
		s := p.transport.Pending()
		for _, w := range p.openWindows() {
			w.Pending(&s)
		}
		open := false
		for _, o := range s.Waits {
			if o.Site == nil {
				o.Waiter.Ask()
				open = true
			}
		}
		if !open || pause > locateTime/2 {
			return s
		}
		time.Sleep(pause)
	}
}

// wait words the wait for o, and for whatever else its call waits for.
func (p *process) wait(o rpi.Operation, s *rpi.Snapshot) hang.Wait {
	function, place := callSite(o.Site)
	w := hang.Wait{In: function, At: place}
	if !o.Since.IsZero() {
		w.Time = time.Since(o.Since)
	}
	c := p.communicator(o.Context)
	others := 0
	for _, other := range s.Waits {
		if other.Waiter == o.Waiter {
			others++
			note(&w, other.Peer)
		}
	}
	switch {
	case o.Context&collective.Messages != 0:
		if function != "Finalize" {
			w.In = fmt.Sprintf("%s (%s)", cmp.Or(function, "a collective operation"), c.call(o.Context, o.Tag))
		}
		w.For = "for " + c.peer(o.Peer)
	case c.ofWindow(o):
		w.For = "for " + c.targets(o, s)
	case others > 1:
		w.For = fmt.Sprintf("for one of %d operations, such as %s", others, c.noun(o))
	case plain[strings.TrimSuffix(function, "Data")]:
		w.For = c.envelope(o)
	default:
		w.For = "for " + c.noun(o)
	}
	w.For += c.where() + stages[o.Stage]
	return w
}

// note adds a peer to those that a call waits for.
func note(w *hang.Wait, peer matching.Rank) {
	switch {
	case peer == matching.AnySource:
		w.Any = true
	case len(w.Peers) < hang.MaxPeers && !slices.Contains(w.Peers, int(peer)):
		w.Peers = append(w.Peers, int(peer))
	}
}

// plain are the functions whose names say what they wait for.
var plain = map[string]bool{
	"Send": true, "Ssend": true, "Rsend": true, "Recv": true, "RecvSlice": true, "Mrecv": true,
	"Probe": true, "Mprobe": true,
}

var stages = map[rpi.Stage]string{
	rpi.Connecting: " (there is no connection to it yet)",
	rpi.Moving:     " (the message is under way)",
}

// beside words which processes are suspected, and what is pending but for what is waited for.
func (p *process) beside(s *rpi.Snapshot, suspected []matching.Rank) string {
	const most = 4
	var parts, open, unexpected []string
	if len(suspected) > 0 {
		parts = append(parts, "suspected: "+numbers(suspected))
	}
	left := s.MoreOpen
	for i, o := range s.Open {
		if i == most {
			left += len(s.Open) - most
			break
		}
		c := p.communicator(o.Context)
		open = append(open, c.noun(o)+c.where())
	}
	if parts = appendList(parts, "not waited for: ", open, left, "operation"); len(s.Unexpected) == 0 {
		return strings.Join(parts, "; ")
	}
	left = s.MoreUnexpected
	for i, u := range s.Unexpected {
		if i >= most {
			left += u.Messages
			continue
		}
		unexpected = append(unexpected, p.unexpected(u))
	}
	return strings.Join(appendList(parts, "unexpected: ", unexpected, left, "message"), "; ")
}

func appendList(parts []string, title string, list []string, left int, thing string) []string {
	if len(list) == 0 {
		return parts
	}
	if left > 0 {
		list = append(list, mpierr.Plural(left, "more "+thing))
	}
	return append(parts, title+strings.Join(list, ", "))
}

// unexpected describes messages that no receive has taken.
func (p *process) unexpected(u rpi.Unexpected) string {
	c := p.communicator(u.Context)
	text := fmt.Sprintf("tag %d from %s", u.Tag, c.number(u.Source))
	if u.Context&collective.Messages != 0 {
		text = fmt.Sprintf("collective %s from %s", c.call(u.Context, u.Tag), c.number(u.Source))
	}
	if u.Messages > 1 {
		text += fmt.Sprintf(" (%d messages)", u.Messages)
	}
	return text + c.where()
}

// enlist notes a communicator, so that it can be named.
func (p *process) enlist(c *Comm) {
	p.list(c, c.context)
}

// list notes a context of a communicator, by which it can be named.
func (p *process) list(c *Comm, id matching.Context) {
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	if p.comms == nil {
		p.comms = make(map[matching.Context]*Comm)
	}
	p.comms[id] = c
}

// delist forgets a context that nothing is left of.
func (p *process) delist(id matching.Context) {
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	delete(p.comms, id)
}

// communicator returns the communicator of a context, or one that knows no more than its number.
func (p *process) communicator(context matching.Context) *Comm {
	context &^= collective.Messages | announcements
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	if c := p.comms[context]; c != nil {
		return c
	}
	return &Comm{process: p, context: context, group: p.everyone, peers: p.everyone}
}

// openWindows returns the windows that have not been freed.
func (p *process) openWindows() (windows []*window.Window) {
	p.commsMu.Lock()
	defer p.commsMu.Unlock()
	for id, c := range p.comms {
		if w := c.window.Load(); w != nil && id == c.context {
			windows = append(windows, w)
		}
	}
	return windows
}

// ofWindow reports whether what a call waits for is of a window.
func (c *Comm) ofWindow(o rpi.Operation) bool {
	return o.Context == c.context|window.Messages && c.window.Load() != nil
}

// targets names the ranks of a window that a call waits for.
func (c *Comm) targets(o rpi.Operation, s *rpi.Snapshot) string {
	var all []matching.Rank
	for _, other := range s.Waits {
		if other.Waiter == o.Waiter && !slices.Contains(all, other.Peer) {
			all = append(all, other.Peer)
		}
	}
	switch {
	case o.Peer == matching.AnySource:
		return "the end of operations"
	case len(all) > 1:
		return fmt.Sprintf("%d ranks, such as %s", len(all), c.peer(o.Peer))
	}
	return c.peer(o.Peer)
}

// where names the communicator, unless it is the world.
func (c *Comm) where() string {
	if c.context == worldContext {
		return ""
	}
	what := "communicator"
	if c.window.Load() != nil {
		what = "window"
	}
	first, number := c.context>>(contextNumberBits+contextFlagBits), c.context>>contextFlagBits&(1<<contextNumberBits-1)
	name := fmt.Sprintf(", on %s %d.%d", what, first, number)
	if given := c.Name(); given != "" {
		name = fmt.Sprintf(", on %s %q", what, given)
	}
	name += " of " + mpierr.Plural(c.group.Size(), "rank")
	if _, place := callSite(c.made); place != "" {
		name += " made at " + place
	}
	return name
}

// noun names an operation.
func (c *Comm) noun(o rpi.Operation) string {
	what := map[rpi.Op]string{rpi.OpSend: "a send ", rpi.OpRecv: "a receive ", rpi.OpProbe: "a message ", rpi.OpMprobe: "a message "}[o.Op]
	if o.Mode == rpi.Synchronous {
		what = "a synchronous send "
	}
	if o.Context&(collective.Messages|rpi.Internal) == 0 && o.Context != c.context {
		way := "from "
		if o.Op == rpi.OpSend {
			way = "to "
		}
		return "a partition " + way + c.number(o.Peer)
	}
	if o.Context&collective.Messages != 0 {
		return what + "of a collective operation, with " + c.peer(o.Peer)
	}
	return what + c.envelope(o)
}

// call names a collective operation by the context and the tag of its messages.
func (c *Comm) call(context matching.Context, tag matching.Tag) string {
	if context&^(collective.Messages|rpi.Internal) != c.context {
		return fmt.Sprintf("run %d of a persistent operation", uint32(tag)+1)
	}
	return fmt.Sprintf("call %d", uint32(tag)+1)
}

// envelope names the peer of an operation, and its tag.
func (c *Comm) envelope(o rpi.Operation) string {
	way, peer, tag := "from ", "any rank", "any tag"
	if o.Op == rpi.OpSend {
		way = "to "
	}
	if o.Peer != matching.AnySource {
		peer = c.number(o.Peer)
	}
	if o.Tag != matching.AnyTag {
		tag = fmt.Sprintf("tag %d", o.Tag)
	}
	if o.Op == rpi.OpSend && o.Mode != rpi.Synchronous {
		tag += ", " + mpierr.Plural(int(o.Length), "byte") // short ones need not be received
	}
	return way + peer + ", " + tag
}

// peer is number with a word before it.
func (c *Comm) peer(job matching.Rank) string { return "rank " + c.number(job) }

// number is a rank in the communicator, and that in the job if it is another.
func (c *Comm) number(job matching.Rank) string {
	switch rank := c.rankOf(job); rank {
	case int(job):
		return fmt.Sprint(rank)
	case Undefined:
		return fmt.Sprintf("%d of the job", job)
	default:
		return fmt.Sprintf("%d (%d of the job)", rank, job)
	}
}

// pulse says whether the process can go on by itself.
func (p *process) pulse() hang.Pulse {
	s := p.transport.Pending()
	pulse := hang.Pulse{
		Sent: s.Sent - s.SentToDead, Received: s.Received - s.ReceivedFromDead, Dead: p.failures.Deaths(),
		Stuck: len(s.Waits) > 0 && s.MoreWaits == 0,
	}
	waiters := make(map[*rpi.Waiter]bool)
	for _, o := range s.Waits {
		waiters[o.Waiter] = true
		if o.Stage != rpi.Unmatched || o.Limited || o.Since.IsZero() {
			pulse.Stuck = false
		}
	}
	if pulse.Stuck {
		inside, others := hang.Goroutines()
		pulse.Stuck = inside == len(waiters) && !others
	}
	return pulse
}
