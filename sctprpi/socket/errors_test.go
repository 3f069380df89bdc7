package socket

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a host on the path has put into an ABORT is told to the user, but not to the user's terminal.
func TestReasonOfAnAbortIsNoControlSequence(t *testing.T) {
	for reason, want := range map[string]string{
		"its process has ended":        ": its process has ended",
		"für immer":                    ": für immer",
		"\x1b]0;mine\a":                `: "\x1b]0;mine\a"`,
		linuxSilence + "\x00":          ": " + linuxSilence,
		"two\nlines":                   `: "two\nlines"`,
		"\xc2\x9b2J":                   `: "\u009b2J"`,
		"\x9b2J":                       `: "\x9b2J"`,
		"\u202eright to left override": `: "\u202eright to left override"`,
		"":                             "",
	} {
		assert.Equal(t, "sctp: association aborted by the peer, cause 12"+want, (&AbortError{Remote: true, Cause: 12, Reason: reason}).Error())
	}
}
