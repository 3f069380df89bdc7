package ring

// LineSize is the size of a slot, and what words of different writers keep apart, in bytes. Some processors of this
// architecture have cache lines of 128 bytes.
const LineSize = 128
