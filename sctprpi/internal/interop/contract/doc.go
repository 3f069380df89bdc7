// Package contract tests that the Linux kernel's SCTP keeps the contract of package socket: on a host that has it there,
// or else in the lab. It has nothing but tests.
package contract
