// Package rpi tests the MPI transport over the Linux kernel's SCTP, in the lab where the
// host has none.
package rpi
