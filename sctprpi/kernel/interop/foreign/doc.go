// Package foreign tests our sockets against programs of others, which know the kernel's
// SCTP: sctp_test and sctp_darn of lksctp-tools, and iperf3. The embedded engine meets
// them by way of UDP (RFC 6951), of which they know nothing: the settings of their host's
// kernel see to it. It has nothing but tests.
package foreign
