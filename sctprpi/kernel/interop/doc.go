// Package interop tests that the embedded engine and the kernel's SCTP understand each
// other, by way of RFC 6951, and that each of them survives the loss of a link. It has
// nothing but tests.
//
// TestMatrix has a subtest for each of the two as the one who calls, and in it one for
// each part of the protocol. The engine's side of all of them is captured, and what
// tshark says of the capture is one more.
package interop
