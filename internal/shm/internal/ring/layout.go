package ring

// HeaderSize is the length of a frame's header, in bytes: that of package header's.
const HeaderSize = 40

// MinRingSize and MaxRingSize bound the size of a ring with its control line, in bytes. Any multiple of LineSize between
// them will do.
const (
	MinRingSize = 4 << 10
	MaxRingSize = 16 << 20
)

// RingSize is the size of a ring in a job with this many ranks on the host, with its control line, in bytes: a power of
// two from 4 to 64 KiB, such that the rings that end at one rank do not take more than 1 MiB, up to 256 ranks.
func RingSize(ranks int) int {
	const (
		ofRank  = 1 << 20
		largest = 64 << 10
	)
	size := largest
	for size > MinRingSize && size*(ranks-1) > ofRank {
		size /= 2
	}
	return size
}

// PairSize is the size of the segment of two ranks, in bytes.
func PairSize(ranks int) int { return 2 * RingSize(ranks) }

// Pair returns the two rings in the segment of two ranks. The one of them that has the lower number sends through the
// first ring.
func Pair(segment []byte, lower bool) (out, in []byte) {
	half := len(segment) / 2
	first, second := segment[:half:half], segment[half:]
	if lower {
		return first, second
	}
	return second, first
}

// InboxSize is the size of an inbox for this many ranks, itself among them, in bytes: one line up to 320 ranks.
func InboxSize(ranks int) int { return roundUp(bitmapOffset+bitmapWords(ranks)*wordSize, LineSize) }

// MaxRanks bounds the number of ranks of one host that an inbox is made for.
const MaxRanks = 1 << 14

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
