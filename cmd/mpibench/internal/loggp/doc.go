// Package loggp finds the parameters of the LogGP model as C. Bell and others define them, "An Evaluation of Current
// High-Performance Networks" (IPDPS 2003), sections 3 and 4, over anything that carries messages.
//
// EEL, the end-to-end latency, is half of the time that a message of 8 bytes and its answer take. The gap g is the time for
// each of many such messages, by a flood that keeps q of them under way: Flood. G, the gap for each byte, is how much longer
// a longer message takes, by its length: PerByte. The overheads o_s and o_r are what sender and receiver do for a message
// themselves: Overhead. L, the time between the two, does not follow from these, as overheads may overlap with it: there is
// none here.
package loggp

// PerByte is G: gap is that of messages of 8 bytes, long that of messages of so many bytes.
func PerByte(gap, long float64, bytes int) float64 { return (long - gap) / float64(bytes) }
