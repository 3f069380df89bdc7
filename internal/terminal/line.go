// Package terminal makes texts that come from elsewhere fit for a line on a terminal, which obeys some characters. It is for this
// library and mpirun, not for programs.
package terminal

import (
	"strings"
	"unicode"
)

// Line replaces all control characters by spaces: those of ASCII, DEL and those of U+0080 to U+009F (C1), of which one alone may begin a
// command. Bytes that are no UTF-8 become U+FFFD: a terminal of 8 bits takes some for C1.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
