package synthetic

import (
	"encoding/binary"
	"fmt"
)

// Data begins with the number of its task. Each 8 bytes that follow depend on
// that, on where they are, and on whether this is a task or a result, so that
// no part can be lost, moved or mixed up unnoticed; and they cost an addition,
// which keeps the manager out of the measurement.
const (
	taskSeed   = 0x9e3779b97f4a7c15
	resultSeed = 0xc2b2ae3d27d4eb4f
	step       = 0xd1342543de82ef95
)

// firstWord is the word after the number.
func firstWord(seed uint64, number int64) uint64 {
	x := (uint64(number) + seed) * step
	return (x ^ x>>32) * seed
}

// appendPattern appends size bytes.
func appendPattern(data []byte, seed uint64, number, size int64) []byte {
	word, end := firstWord(seed, number), len(data)+int(size)
	data = binary.LittleEndian.AppendUint64(data, uint64(number))
	for ; len(data)+8 <= end; word += step {
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	for ; len(data) < end; word >>= 8 {
		data = append(data, byte(word))
	}
	return data
}

// checkPattern returns the number. The error fits after "task" or "result".
func checkPattern(data []byte, seed uint64, size int64) (int64, error) {
	if int64(len(data)) != size {
		return 0, fmt.Errorf("of %d bytes, not %d", len(data), size)
	}
	number := int64(binary.LittleEndian.Uint64(data))
	word, rest := firstWord(seed, number), data[8:]
	for ; len(rest) >= 8; word, rest = word+step, rest[8:] {
		if binary.LittleEndian.Uint64(rest) != word {
			return 0, fmt.Errorf("%d is damaged within 8 bytes of byte %d of %d", number, len(data)-len(rest), size)
		}
	}
	for ; len(rest) > 0; word, rest = word>>8, rest[1:] {
		if rest[0] != byte(word) {
			return 0, fmt.Errorf("%d is damaged at byte %d of %d", number, len(data)-len(rest), size)
		}
	}
	return number, nil
}
