package lab

import (
	"io"
	"os"
	"strings"
)

// tail keeps the last of what a kernel writes to its console, to say why it failed.
type tail struct {
	text []byte
	done chan struct{} // closed when no process can write any more; text may be read then
}

const tailSize = 8 << 10

// newTail returns a tail and the file to write to.
func newTail() (*tail, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	t := &tail{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		defer r.Close()
		io.Copy(t, r)
	}()
	return t, w, nil
}

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if surplus := len(t.text) - tailSize; surplus > 0 {
		t.text = append(t.text[:0], t.text[surplus:]...)
	}
	return len(p), nil
}

// String returns the text. Call it after done.
func (t *tail) String() string {
	return strings.TrimSpace(string(t.text))
}
