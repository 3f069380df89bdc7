package cookie

import "strings"

// Features are the extensions that both sides of an association have agreed to.
type Features uint16

// The features.
const (
	// Interleaving has user messages travel in I-DATA chunks (RFC 8260).
	Interleaving Features = 1 << iota
	// PartialReliability lets messages be given up (RFC 3758).
	PartialReliability
	// ZeroChecksum lets packets go without a checksum (RFC 9653).
	ZeroChecksum
	// StreamCredit has each side keep to the other's limit for each stream, which
	// is an extension of the engine's own (wire.StreamLimit).
	StreamCredit
	// Multipath sends data on several paths at once. It is an extension of the engine's own (wire.Params.AppendMultipath).
	Multipath
	// ECN has each side tell the other of marked packets (RFC 3168).
	ECN

	allFeatures = ECN<<1 - 1
)

var featureNames = [...]string{"interleaving", "partial reliability", "zero checksum", "stream credit", "multipath", "ECN"}

// Has reports whether all of some features are agreed to.
func (f Features) Has(some Features) bool { return f&some == some }

// String lists the features that this package knows, "none" if there are none.
func (f Features) String() string {
	var names []string
	for i, name := range featureNames {
		if f.Has(1 << i) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
