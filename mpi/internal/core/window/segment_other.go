//go:build !linux

package window

import (
	"hash/fnv"
	"io"
	"os"
)

func host() uint64 {
	h := fnv.New64a()
	name, _ := os.Hostname()
	_, _ = io.WriteString(h, name) // never fails
	return h.Sum64()
}
