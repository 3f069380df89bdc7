// Package foreign tests our sockets against programs of others that use the kernel's SCTP:
// sctp_test and sctp_darn of lksctp-tools, iperf3, and the one-to-one sockets of the Go module
// github.com/ishidawataru/sctp. The embedded engine meets them by way of UDP (RFC 6951), of
// which they know nothing: the settings of their host's kernel see to it. It has nothing but
// tests.
package foreign
