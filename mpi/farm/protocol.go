package farm

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// The tags. Those of slots come in threes, so that each slot's tasks, and its results, are a TRC of their own.
const (
	tagSettings = iota // manager → worker: the settings, once
	tagStop            // manager → worker: no more tasks are dealt, and why if that is an error, once
	tagFailure         // worker → manager: a task has failed
	tagSlots
)

// kind is what a message of a slot is.
type kind int

const (
	request kind = iota
	task
	result
	kinds
)

// tag is that of a slot's messages.
func (k kind) tag(slot int) int { return tagSlots + slot*int(kinds) + int(k) }

// slotOf is the inverse of tag; the slot is negative if no message of a slot has the tag.
func slotOf(tag int) (k kind, slot int) {
	if tag < tagSlots {
		return 0, -1
	}
	return kind((tag - tagSlots) % int(kinds)), (tag - tagSlots) / int(kinds)
}

// settings are what the manager tells each worker. Without slots there is no work: the reason follows with tagStop.
type settings struct{ Slots, Fanout, MaxTask, MaxResult int64 }

// maxText is the length of the longest text in bytes of an error that is passed on.
const maxText = 1 << 10

// text cuts what an error says to what is passed on, between characters.
func text(err error) []byte {
	if err == nil {
		return nil
	}
	b := []byte(err.Error())
	if len(b) == 0 {
		return []byte("an error without a text")
	}
	if len(b) > maxText {
		b = b[:maxText]
		for len(b) > 0 && !utf8.Valid(b) {
			b = b[:len(b)-1]
		}
	}
	return b
}

// failureOf tells that a slot's task has failed, after so many whose results have been sent.
func failureOf(slot int, done uint64, err error) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(slot)), done), text(err)...)
}

// maxFailure is the length of the longest failure in bytes.
const maxFailure = 2*binary.MaxVarintLen64 + maxText

// parseFailure is the inverse of failureOf; what it cannot read is 0.
func parseFailure(b []byte) (slot int, done uint64, text string) {
	s, n := binary.Uvarint(b)
	b = b[max(n, 0):]
	done, n = binary.Uvarint(b)
	return int(s), done, string(b[max(n, 0):])
}

// checked is the error of a task, or that its result is too long.
func checked(err error, length, most int) error {
	if err == nil && length > most {
		err = fmt.Errorf("the result has %d elements; MaxResult is %d", length, most)
	}
	return err
}
