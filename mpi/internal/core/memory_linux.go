package core

import (
	"bytes"
	"os"
	"strconv"
)

// memoryNow is what the process has resident now, in bytes, 0 if that is not known: the second number of /proc/self/statm counts pages.
func memoryNow() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return pages * uint64(os.Getpagesize())
}
