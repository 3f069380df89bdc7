//go:build !arm64

package ring

// LineSize is the size of a slot, and what words of different writers keep apart: a cache line, in bytes.
const LineSize = 64
