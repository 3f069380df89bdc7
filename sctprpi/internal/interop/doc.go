// Package interop tests that the embedded engine and the kernel's SCTP understand each other over
// RFC 6951, and that each of them survives the loss of a link. It has only tests, which run in the
// lab.
//
// The packages below it are of the same kind: contract (the kernel's sockets keep the contract of
// package socket), foreign (other programs' SCTP) and transport (the kernel's transport keeps the
// contract of package rpi). Package interoptest is what they share. .ci/lab runs all of them.
//
// TestMatrix has a subtest for each of the two stacks as the caller, and in it one for each part of
// the protocol. The packets of the engine's side are captured, and a last subtest checks what
// tshark says of the capture.
package interop
