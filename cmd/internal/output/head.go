package output

import "bytes"

// Head keeps the first 2 KiB of what is written: of a panic, the part that explains it.
type Head struct{ bytes.Buffer }

const headBytes = 2 << 10

func (h *Head) Write(b []byte) (int, error) {
	h.Buffer.Write(b[:min(len(b), headBytes-h.Len())])
	return len(b), nil
}
