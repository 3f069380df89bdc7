//go:build !linux

package sight

import "net"

// checkPeer leaves it to the modes of the folder and the socket who can connect.
func checkPeer(*net.UnixConn) error { return nil }
