// Package transport tests the MPI transport over the Linux kernel's SCTP, in the lab. It has nothing but tests.
package transport
