package ranks

import (
	"encoding/binary"
	"fmt"
)

// headerSize is the length in bytes of the shortest message: its number, and when it was sent.
const headerSize = 16

// step makes the words of a message differ from one another.
const step = 0xd1342543de82ef95

// fill makes a message of data: each word of it depends on the number of the message, the tag and the place.
func fill(data []byte, tag int, number uint64) {
	binary.LittleEndian.PutUint64(data, number)
	word := (number<<20 + uint64(tag)) * step
	rest := data[headerSize:]
	for ; len(rest) >= 8; word, rest = word+step, rest[8:] {
		binary.LittleEndian.PutUint64(rest, word)
	}
	for i := range rest {
		rest[i] = byte(word >> (8 * i))
	}
}

// stamp notes in a message when it is sent, by the clock of all ranks' machine.
func stamp(data []byte, at int64) { binary.LittleEndian.PutUint64(data[8:], uint64(at)) }

func stamped(data []byte) int64 { return int64(binary.LittleEndian.Uint64(data[8:])) }

// check tells whether a message is what fill has made.
func check(data []byte, tag int, number uint64) error {
	if got := binary.LittleEndian.Uint64(data); got != number {
		return fmt.Errorf("message %d with tag %d came in place of %d", got, tag, number)
	}
	word := (number<<20 + uint64(tag)) * step
	rest := data[headerSize:]
	for ; len(rest) >= 8; word, rest = word+step, rest[8:] {
		if binary.LittleEndian.Uint64(rest) != word {
			return fmt.Errorf("message %d with tag %d is damaged after byte %d", number, tag, len(data)-len(rest))
		}
	}
	for i := range rest {
		if rest[i] != byte(word>>(8*i)) {
			return fmt.Errorf("message %d with tag %d is damaged at its end", number, tag)
		}
	}
	return nil
}
