//go:build !linux

package pmi

import "net"

// write writes a line.
func write(conn net.Conn, line []byte) error {
	_, err := conn.Write(line)
	return err
}
