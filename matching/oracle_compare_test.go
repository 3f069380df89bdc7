package matching

import (
	"fmt"
	"slices"
	"strings"
)

// compareDepth compares the numbers of receives and messages that wait.
func (p *player) compareDepth() error {
	posted, unexpected := p.engine.Depth()
	if posted != len(p.oracle.posted) || unexpected != len(p.oracle.unexpected) {
		return fmt.Errorf("Depth: %d posted, %d unexpected, want %d and %d",
			posted, unexpected, len(p.oracle.posted), len(p.oracle.unexpected))
	}
	return nil
}

// compareLists compares the lists of waiting receives and messages, and looks inside the engine.
func (p *player) compareLists() error {
	var got, want []int
	for r := range p.engine.Receives() {
		got = append(got, slices.Index(p.receives, r))
	}
	for _, r := range p.oracle.posted {
		want = append(want, r.id)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("Receives: %v, want %v", got, want)
	}
	got, want = nil, nil
	for m := range p.engine.Messages() {
		got = append(got, p.messageID(m))
	}
	for _, m := range p.oracle.unexpected {
		want = append(want, m.id)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("Messages: %v, want %v", got, want)
	}
	return check(&p.engine, p.overtaken)
}

// finish looks at everything once more, lets all that is on its way arrive
// and takes everything out; then the engine must hold nothing.
func (p *player) finish() error {
	if err := p.compareLists(); err != nil {
		return err
	}
	for c := range p.contexts {
		for s := -1; s < p.sources; s++ {
			for t := -1; t < p.tags; t++ {
				if err := p.probe(Context(c), Rank(s), Tag(t)); err != nil {
					return err
				}
			}
		}
	}
	for c := range p.contexts {
		for s := range p.sources {
			f := flow{Context(c), Rank(s)}
			for stream, q := range p.inFlight[f] {
				for range q {
					if err := p.arrive(f, stream); err != nil {
						return err
					}
				}
			}
		}
	}
	if err := p.drain(); err != nil {
		return err
	}
	for len(p.oracle.posted) > 0 {
		if err := p.cancel(0, 1); err != nil {
			return err
		}
	}
	if err := p.drain(); err != nil {
		return err
	}
	for len(p.oracle.unexpected) > 0 {
		if err := p.take(len(p.oracle.unexpected) / 2); err != nil {
			return err
		}
	}
	for c := range p.contexts {
		if err := p.release(Context(c)); err != nil {
			return err
		}
	}
	if posted, unexpected := p.engine.Depth(); posted != 0 || unexpected != 0 {
		return fmt.Errorf("at the end %d posted, %d unexpected", posted, unexpected)
	}
	return holdsNothing(&p.engine)
}

// messageID returns the number of m, -2 if the player never gave it.
func (p *player) messageID(m *Message) int {
	if i := slices.Index(p.messages, m); i >= 0 && m != nil {
		return i
	}
	return -2
}

func describe(matches []oracleMatch) string {
	var b strings.Builder
	for i, m := range matches {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "r%d to take m%d", m.receive, m.message)
	}
	if len(matches) == 0 {
		return "nothing"
	}
	return b.String()
}

func wild[T ~int32](v T) string {
	if v < 0 {
		return "any"
	}
	return fmt.Sprint(int32(v))
}
