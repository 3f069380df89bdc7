package rx

import "github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"

// ForwardTSN gives up the messages that a FORWARD TSN chunk says will not come.
// Tracker.Forward must have moved the cumulative TSN. What of the skipped messages
// is complete is delivered; a message whose delivery has begun ends with a Broken
// event. A chunk that names a stream that does not exist changes nothing and
// returns ErrStream. In an association with interleaving the error is
// ErrInterleaving.
func (r *Reassembly) ForwardTSN(f *wire.ForwardTSN) error {
	if r.config.Interleaving {
		return ErrInterleaving
	}
	for skipped := range f.Skipped.All() {
		if !r.streams.Has(skipped.Stream) {
			return ErrStream
		}
	}
	for skipped := range f.Skipped.All() {
		r.skipOrdered(r.streams.use(skipped.Stream), uint32(skipped.SSN)<<r.shift)
	}
	r.skipUnorderedData(uint32(f.CumulativeTSN))
	r.follow.skip(f.CumulativeTSN)
	return nil
}

// IForwardTSN does what ForwardTSN does, for I-FORWARD TSN chunks (RFC 8260,
// section 2.3.1).
func (r *Reassembly) IForwardTSN(f *wire.IForwardTSN) error {
	if !r.config.Interleaving {
		return ErrInterleaving
	}
	for skipped := range f.Skipped.All() {
		if !r.streams.Has(skipped.Stream) {
			return ErrStream
		}
	}
	for skipped := range f.Skipped.All() {
		if s := r.streams.use(skipped.Stream); skipped.Unordered {
			r.skipUnorderedIData(s, uint32(skipped.MID))
		} else {
			r.skipOrdered(s, uint32(skipped.MID))
		}
	}
	return nil
}
