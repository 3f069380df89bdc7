package agree

import (
	"encoding/binary"
	"fmt"
)

// Value is what a rank proposes, and what the ranks agree on: all proposals combined.
type Value struct {
	// Kinds has a bit for what a rank agrees for; combined, all that ranks have set.
	Kinds uint32
	// Flags are combined by bitwise and.
	Flags uint64
	// Choice is that of the coordinator.
	Choice uint64
	// Failed are ranks known to be dead: by any rank, when combined.
	Failed Set
	// Acked are dead ranks whose death has been acknowledged: by all ranks, when combined.
	Acked Set
}

// with combines proposals. The choice is that of v.
func (v Value) with(w Value) Value {
	return Value{v.Kinds | w.Kinds, v.Flags & w.Flags, v.Choice, v.Failed.Union(w.Failed), v.Acked.Intersection(w.Acked)}
}

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages.
const (
	Query    Kind = iota // by the coordinator: propose. Failed has the dead that it knows
	Propose              // the answer: the sender's proposal
	Accept               // by the coordinator: accept this value
	Accepted             // the answer
	Commit               // this value has been decided
	kinds
)

func (k Kind) String() string {
	return [...]string{"query", "propose", "accept", "accepted", "commit"}[k]
}

// Message is a message between ranks.
type Message struct {
	Kind  Kind
	Value Value
}

// header is the length of a message without its sets, in bytes.
const header = 1 + 4 + 8 + 8

// Append appends a message of a group of size ranks. Its length depends on size alone: see Length.
func Append(b []byte, m *Message, size int) []byte {
	b = append(b, byte(m.Kind))
	b = binary.LittleEndian.AppendUint32(b, m.Value.Kinds)
	b = binary.LittleEndian.AppendUint64(b, m.Value.Flags)
	b = binary.LittleEndian.AppendUint64(b, m.Value.Choice)
	for _, s := range []Set{m.Value.Failed, m.Value.Acked} {
		for i := range words(size) {
			var word uint64
			if i < len(s) {
				word = s[i]
			}
			b = binary.LittleEndian.AppendUint64(b, word)
		}
	}
	return b
}

// Length is the length of a message of a group of size ranks, in bytes.
func Length(size int) int { return header + 2*8*words(size) }

func words(size int) int { return (size + 63) / 64 }

// Parse reads what Append has written, for a group of the same size. The error says what is wrong with it.
func Parse(b []byte, size int) (Message, error) {
	if len(b) != Length(size) {
		return Message{}, fmt.Errorf("a message of an agreement has %d bytes; among %d ranks it has %d", len(b), size, Length(size))
	}
	m := Message{Kind: Kind(b[0])}
	if m.Kind >= kinds {
		return Message{}, fmt.Errorf("a message of an agreement is of kind %d, which does not exist", m.Kind)
	}
	m.Value.Kinds = binary.LittleEndian.Uint32(b[1:])
	m.Value.Flags = binary.LittleEndian.Uint64(b[5:])
	m.Value.Choice = binary.LittleEndian.Uint64(b[13:])
	sets := b[header:]
	for _, s := range []*Set{&m.Value.Failed, &m.Value.Acked} {
		*s = make(Set, words(size))
		for i := range *s {
			(*s)[i] = binary.LittleEndian.Uint64(sets)
			sets = sets[8:]
		}
		if last := size % 64; last != 0 && (*s)[size/64]>>last != 0 {
			return Message{}, fmt.Errorf("a message of an agreement names a rank that is not among its %d", size)
		}
	}
	return m, nil
}
