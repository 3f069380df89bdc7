package wire

import (
	"encoding/binary"
	"math"
	"slices"
)

// Chunks, parameters and error causes, called items here, have the same outer form: a header of 4
// bytes with the item's length in its second half, a value, and up to 3 bytes of padding that the
// length does not count. They share the code that splits a list of items and the code that writes
// one, so that validation and use of a list always agree about where an item ends.
const itemHeaderSize = 4

// PaddedLen returns the bytes that n bytes take up with their padding.
func PaddedLen(n int) int { return (n + 3) &^ 3 }

// AppendPadding appends the zero bytes, 0 to 3, that follow n bytes of payload
// or list. Where chunks follow one another in a gather list, the padding of
// one payload can stand in front of the next chunk's header.
func AppendPadding(b []byte, n int) []byte { return append(b, zeroField[:-n&3]...) }

// appendZeros appends n zero bytes.
func appendZeros(b []byte, n int) []byte {
	b = slices.Grow(b, n)[:len(b)+n]
	clear(b[len(b)-n:])
	return b
}

// cut splits the first item off b. It fails when the item's length is shorter
// than the header or longer than b, so whatever it returns is progress. The
// final padding in b may be missing: RFC 9260, section 3.2, leaves the padding
// of the last item out of the length of what holds it, and wants receivers to
// take both.
func cut(b []byte) (item, rest []byte, ok bool) {
	if len(b) < itemHeaderSize {
		return nil, nil, false
	}
	n := int(binary.BigEndian.Uint16(b[2:]))
	if n < itemHeaderSize || n > len(b) {
		return nil, nil, false
	}
	return b[:n:n], b[min(PaddedLen(n), len(b)):], true
}

// itemValue returns what follows an item's header: nothing in the zero Chunk,
// Param or Cause.
func itemValue(item []byte) []byte { return item[min(itemHeaderSize, len(item)):] }

// wellFormed reports whether b is a list of items and nothing else.
func wellFormed(b []byte) bool {
	for ok := true; len(b) > 0; {
		if _, b, ok = cut(b); !ok {
			return false
		}
	}
	return true
}

// openItem appends an item's header, its length to be filled in by closeItem.
func openItem(b []byte, head uint16) []byte {
	b = binary.BigEndian.AppendUint16(b, head)
	return append(b, 0, 0)
}

// closeItem fills in the length of the item that starts at start and ends
// where b ends. An item longer than the field can say is taken back.
func closeItem(b []byte, start int) []byte {
	n := len(b) - start
	if n > math.MaxUint16 {
		return b[:start]
	}
	binary.BigEndian.PutUint16(b[start+2:], uint16(n))
	return b
}

// appendToList appends an item with that value to a list. The list's last item
// is left without its padding: the list's holder adds it after its own length.
func appendToList(list []byte, head uint16, value []byte) []byte {
	list, start := openInList(list, head)
	return closeItem(append(list, value...), start)
}

// openInList is openItem for a list; it returns the start for closeItem.
func openInList(list []byte, head uint16) ([]byte, int) {
	list = AppendPadding(list, len(list))
	return openItem(list, head), len(list)
}
