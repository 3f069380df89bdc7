// Package interoptest has what tests of SCTP's interoperability share: peers, which are
// sockets of either stack at the hosts of a network, and what they say to each other.
package interoptest
