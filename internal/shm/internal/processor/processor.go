// Package processor says which processor runs the caller, so that ranks that share one can notice it.
package processor

// Unknown is the number of a processor that is not known.
const Unknown = -1

// Current is the number of the processor that runs the caller, or Unknown. The caller may be on another one at any time after.
func Current() int { return current() }
