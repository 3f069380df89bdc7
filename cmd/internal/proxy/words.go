package proxy

import (
	"fmt"
	"os"
	"strings"
)

// Words takes a command apart as a shell does: blanks separate words, unless they are in quotes or behind a backslash. Nothing is expanded. Where a
// backslash separates folders, as on Windows, it stands for itself.
func Words(command string) (words []string, err error) {
	var word strings.Builder
	begun, escaped, quote := false, false, rune(0)
	for _, c := range command {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", c) {
				word.WriteRune('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'' && os.PathSeparator != '\\':
			begun, escaped = true, true
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			begun, quote = true, c
		case strings.ContainsRune(" \t\n", c):
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			begun = true
			word.WriteRune(c)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("a quote (%c) has no end in %s", quote, command)
	case escaped:
		return nil, fmt.Errorf("nothing follows the backslash at the end of %s", command)
	case begun:
		words = append(words, word.String())
	}
	return words, nil
}
