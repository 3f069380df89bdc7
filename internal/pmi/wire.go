package pmi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/internal/terminal"
)

// maxLine bounds a line read from a peer, newline included, in bytes.
const maxLine = 8192

// maxAttributes bounds the attributes of one line. The longest line of PMI 1.1 has six.
const maxAttributes = 32

// message is one parsed line.
type message struct {
	cmd   string
	attrs []attribute
}

type attribute struct{ key, value string }

// parse reads "cmd=NAME key=value…", without its newline. Keys are not empty and occur once; in a value a backslash
// stands before a character that is to be taken as it is, as in Hydra. The text of an abort runs to the end of the line,
// because C clients send it with its spaces and equal signs as they are.
func parse(line string) (message, error) {
	for i := range len(line) {
		if line[i] < ' ' || line[i] == 0x7f {
			return message{}, fmt.Errorf("control character %#02x at byte %d of %s", line[i], i, excerpt(line))
		}
	}
	rest, ok := strings.CutPrefix(line, "cmd=")
	if !ok {
		return message{}, fmt.Errorf("line does not begin with cmd=: %s", excerpt(line))
	}
	var m message
	m.cmd, rest, _ = strings.Cut(rest, " ")
	if m.cmd == "" {
		return message{}, fmt.Errorf("no command after cmd=: %s", excerpt(line))
	}
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, after, ok := strings.Cut(rest, "=")
		if !ok || key == "" || strings.Contains(key, " ") {
			return message{}, fmt.Errorf("attribute is not key=value: %s", excerpt(rest))
		}
		if _, dup := m.get(key); dup || key == "cmd" {
			return message{}, fmt.Errorf("attribute %s occurs twice: %s", key, excerpt(line))
		}
		if len(m.attrs) == maxAttributes {
			return message{}, fmt.Errorf("more than %d attributes: %s", maxAttributes, excerpt(line))
		}
		end := len(after)
		if key != "message" {
			end = valueEnd(after)
		}
		m.attrs = append(m.attrs, attribute{key, unescape(after[:end])})
		rest = after[end:]
	}
	return m, nil
}

// valueEnd is the index of the first space of s that no backslash precedes, or len(s).
func valueEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ' ':
			return i
		}
	}
	return len(s)
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escapeText prepares free text for the wire: control characters become spaces, spaces and backslashes are escaped.
func escapeText(s string) string {
	s = terminal.Line(s)
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c == ' ' || c == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// format builds a line from a command and key, value pairs that are already fit for the wire.
func format(cmd string, pairs ...string) []byte {
	line := append(make([]byte, 0, 128), "cmd="...)
	line = append(line, cmd...)
	for i := 0; i < len(pairs); i += 2 {
		line = append(line, ' ')
		line = append(line, pairs[i]...)
		line = append(line, '=')
		line = append(line, pairs[i+1]...)
	}
	return append(line, '\n')
}

func (m message) get(key string) (string, bool) {
	for _, a := range m.attrs {
		if a.key == key {
			return a.value, true
		}
	}
	return "", false
}

// integer is the value of an attribute that must be there and be a decimal 32-bit number.
func (m message) integer(key string) (int, error) {
	text, ok := m.get(key)
	if !ok {
		return 0, fmt.Errorf("%s lacks %s", m.cmd, key)
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s: %s is not a number: %s", m.cmd, key, excerpt(text))
	}
	return int(n), nil
}

// readLine reads the next line, without its newline. A stream that ends inside a line is [io.ErrUnexpectedEOF].
// in must have been made with a buffer of maxLine bytes: that is what bounds the line.
func readLine(in *bufio.Reader) (string, error) {
	slice, err := in.ReadSlice('\n')
	switch {
	case err == nil:
		return string(slice[:len(slice)-1]), nil
	case errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("line of more than %d bytes: %s", maxLine, excerpt(string(slice)))
	case err == io.EOF && len(slice) > 0:
		return "", io.ErrUnexpectedEOF
	}
	return "", err
}

// excerpt quotes the beginning of what a peer sent, for an error message.
func excerpt(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
