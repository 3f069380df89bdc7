// Package interop tests that the embedded engine and the kernel's SCTP understand each
// other, by way of RFC 6951. It has nothing but tests.
package interop
