package terminal

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNothingIsLeftThatATerminalObeys(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"plain, größer, 網":            "plain, größer, 網",
		"a\nb\tc\x1b[2Jd\x7f":         "a b c [2Jd ",
		"C1 as UTF-8: \u009b2J\u0085": "C1 as UTF-8:  2J ",
		"C1 as a byte: \x9b2J":        "C1 as a byte: \ufffd2J",
	} {
		assert.Equal(t, want, Line(text))
	}
}
