package matching

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	seedFlag = flag.Uint64("seed", 0, "replay the random history with this seed")
	histFlag = flag.Int("histories", 10000, "random histories to play")
)

// A history is a script of commands of three bytes: what, which, how. It is
// played on an Engine and on the oracle, which must agree at every step.
const commandSize = 3

// player plays a history.
type player struct {
	engine  Engine
	oracle  oracle
	next    map[stem]Seq     // sequence numbers of the senders
	flying  [][]*flight      // streams that carry messages, in order each
	posted  []*Receive       // every receive ever posted
	names   map[*Receive]int // their numbers in the log
	numbers map[*Message]int // the messages' numbers
	log     strings.Builder
}

// flight is a message on its way, or a number without a message.
type flight struct {
	m    *Message
	void bool
}

// play returns what went wrong, "" if nothing did, and the history in words.
func play(script []byte) (wrong, log string) {
	p := &player{next: make(map[stem]Seq), names: make(map[*Receive]int), numbers: make(map[*Message]int)}
	defer func() {
		log = p.log.String()
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v", r)
		}
	}()
	for ; len(script) >= commandSize; script = script[commandSize:] {
		if wrong := p.command(script[0], script[1], script[2]); wrong != "" {
			return wrong, ""
		}
		if posted, unexpected := p.engine.Depth(); posted != len(p.oracle.posted) || unexpected != len(p.oracle.waiting) {
			return fmt.Sprintf("depth is %d and %d, want %d and %d", posted, unexpected, len(p.oracle.posted), len(p.oracle.waiting)), ""
		}
	}
	return p.end(), ""
}

func (p *player) command(what, which, how byte) string {
	context, source, tag := Context(how&1), Rank(which%3), Tag(which/3%3)
	switch what % 8 {
	case 0, 1:
		p.send(context, source, tag, how&0xf0 == 0)
	case 2, 3:
		return p.deliver(int(which))
	case 4, 5:
		return p.post(p.pattern(context, source, tag, how))
	case 6:
		return p.probe(p.pattern(context, source, tag, how), what&8 != 0)
	default:
		return p.cancel(int(which))
	}
	return ""
}

// pattern makes wildcards of parts of a receive.
func (p *player) pattern(c Context, source Rank, tag Tag, how byte) *Receive {
	if how>>1&3 == 0 {
		source = AnySource
	}
	if how>>3&3 == 0 {
		tag = AnyTag
	}
	return &Receive{Context: c, Source: source, Tag: tag}
}

func (p *player) send(c Context, source Rank, tag Tag, void bool) {
	st := stem{c, source}
	m := &Message{Envelope: Envelope{Kind: Eager, Context: c, Tag: tag, Seq: p.next[st]}, Source: source}
	p.next[st]++
	p.numbers[m] = len(p.numbers)
	fmt.Fprintf(&p.log, "send    message %d: context %d, source %d, tag %d, seq %d, void %v\n", p.numbers[m], c, source, tag, m.Seq, void)
	i := slices.IndexFunc(p.flying, func(s []*flight) bool {
		return s[0].m.Context == c && s[0].m.Source == source && s[0].m.Tag == tag
	})
	f := &flight{m: m, void: void}
	if i < 0 {
		p.flying = append(p.flying, []*flight{f})
	} else {
		p.flying[i] = append(p.flying[i], f)
	}
}

// deliver lets the first message of some stream arrive.
func (p *player) deliver(which int) string {
	if len(p.flying) == 0 {
		return ""
	}
	i := which % len(p.flying)
	f := p.flying[i][0]
	if p.flying[i] = p.flying[i][1:]; len(p.flying[i]) == 0 {
		p.flying = slices.Delete(p.flying, i, i+1)
	}
	fmt.Fprintf(&p.log, "arrive  message %d\n", p.numbers[f.m])
	st, err := stem{f.m.Context, f.m.Source}, error(nil)
	var want []match
	if f.void {
		err = p.engine.Skip(st.context, st.source, f.m.Seq)
		want = p.oracle.arrive(st, f.m.Seq, nil)
	} else {
		err = p.engine.Arrive(f.m)
		want = p.oracle.arrive(st, f.m.Seq, f.m)
	}
	if err != nil {
		return err.Error()
	}
	if again := p.engine.Skip(st.context, st.source, f.m.Seq); again == nil {
		return "a sequence number was accepted twice"
	}
	return p.matches(want)
}

func (p *player) post(r *Receive) string {
	p.names[r] = len(p.posted)
	p.posted = append(p.posted, r)
	fmt.Fprintf(&p.log, "post    receive %d: context %d, source %d, tag %d\n", p.names[r], r.Context, r.Source, r.Tag)
	got, want := p.engine.Post(r), p.oracle.post(r)
	if got != want || r.Message != got {
		return fmt.Sprintf("receive %d took %s at once, want %s", p.names[r], p.message(got), p.message(want))
	}
	return p.matches(nil)
}

func (p *player) probe(r *Receive, take bool) string {
	fmt.Fprintf(&p.log, "probe   context %d, source %d, tag %d, take %v\n", r.Context, r.Source, r.Tag, take)
	got, want := p.engine.Probe(r.Context, r.Source, r.Tag), p.oracle.probe(r)
	if got != want {
		return fmt.Sprintf("probe found %s, want %s", p.message(got), p.message(want))
	}
	if got != nil && take {
		p.oracle.take(got)
		if !p.engine.Take(got) || p.engine.Take(got) {
			return fmt.Sprintf("%s could not be taken, or twice", p.message(got))
		}
	}
	return p.matches(nil)
}

func (p *player) cancel(which int) string {
	if len(p.posted) == 0 {
		return ""
	}
	r := p.posted[which%len(p.posted)]
	fmt.Fprintf(&p.log, "cancel  receive %d\n", p.names[r])
	want, matches := p.oracle.cancel(r)
	if got := p.engine.Cancel(r); got != want {
		return fmt.Sprintf("cancelling receive %d: %v, want %v", p.names[r], got, want)
	}
	return p.matches(matches)
}

// matches checks what Next returns.
func (p *player) matches(want []match) string {
	for _, w := range want {
		r := p.engine.Next()
		if r == nil {
			return fmt.Sprintf("receive %d did not get %s", p.names[w.r], p.message(w.m))
		}
		if r != w.r || r.Message != w.m {
			return fmt.Sprintf("receive %d got %s, want receive %d to get %s", p.names[r], p.message(r.Message), p.names[w.r], p.message(w.m))
		}
	}
	if r := p.engine.Next(); r != nil {
		return fmt.Sprintf("receive %d got %s, want no match", p.names[r], p.message(r.Message))
	}
	return ""
}

// end lists what is left, forgets the contexts, and looks for leaks.
func (p *player) end() string {
	if got := slices.Collect(p.engine.Receives()); !slices.Equal(got, p.oracle.posted) {
		return "Receives does not list what is posted, in order"
	}
	var waiting []*Message
	for _, a := range p.oracle.waiting {
		waiting = append(waiting, a.m)
	}
	if got := slices.Collect(p.engine.Messages()); !slices.Equal(got, waiting) {
		return "Messages does not list what is unexpected, in order"
	}
	for _, r := range p.oracle.posted {
		if r.Tag != AnyTag && !p.engine.Cancel(r) {
			return "a posted receive could not be cancelled"
		}
		for p.engine.Next() != nil { // none can match: only concrete tags leave
			return "a cancelled concrete receive made another one match"
		}
	}
	p.engine.Release(0)
	p.engine.Release(1)
	if posted, unexpected := p.engine.Depth(); posted+unexpected != 0 || p.engine.table.count != 0 {
		return fmt.Sprintf("after release %d posted, %d unexpected, %d nodes", posted, unexpected, p.engine.table.count)
	}
	return ""
}

func (p *player) message(m *Message) string {
	if m == nil {
		return "nothing"
	}
	return fmt.Sprintf("message %d", p.numbers[m])
}

// shrink returns the shortest history it finds that still goes wrong.
func shrink(script []byte) []byte {
	for n := len(script) / commandSize; n > 0; n /= 2 {
		for at := 0; at+n*commandSize <= len(script); {
			shorter := slices.Delete(slices.Clone(script), at, at+n*commandSize)
			if wrong, _ := play(shorter); wrong != "" {
				script = shorter
			} else {
				at += commandSize
			}
		}
	}
	return script
}

// TestHistories compares the engine with the oracle over random histories.
func TestHistories(t *testing.T) {
	first, count := rand.Uint64(), *histFlag
	if *seedFlag != 0 {
		first, count = *seedFlag, 1
	}
	for i := range uint64(count) {
		rng := rand.New(rand.NewPCG(first+i, 3))
		script := make([]byte, commandSize*(5+rng.IntN(70)))
		for k := range script {
			script[k] = byte(rng.Uint32())
		}
		if wrong, _ := play(script); wrong != "" {
			wrong, log := play(shrink(script))
			t.Fatalf("%s\n%sreplay with -seed %d", wrong, log, first+i)
		}
	}
}

// FuzzHistories lets the fuzzer write the histories.
func FuzzHistories(f *testing.F) {
	f.Add([]byte{0, 0, 16, 0, 3, 16, 2, 1, 0, 4, 0, 10, 4, 3, 10, 2, 0, 0})
	f.Add([]byte{4, 0, 0, 4, 3, 26, 0, 0, 16, 0, 3, 16, 2, 1, 0, 7, 0, 0, 2, 0, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200*commandSize {
			return
		}
		if wrong, log := play(script); wrong != "" {
			t.Fatalf("%s\n%s", wrong, log)
		}
	})
}
