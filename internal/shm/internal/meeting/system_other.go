//go:build !linux

package meeting

import "net"

// Nothing of this is called, as there is no identity and so neither listener nor meeting, except to make segments and
// doorbells.

const rightsSize = 0

func here() (string, error)                  { return "", ErrNotSupported }
func peerOf(*net.UnixConn) (Process, error)  { return noProcess, ErrNotSupported }
func rights([]int) []byte                    { return nil }
func parseRights([]byte, int) ([]int, error) { return nil, ErrNotSupported }
func checkDoorbell(int) error                { return ErrNotSupported }
func ring(int) error                         { return ErrNotSupported }
func closeFD(int)                            {}
func closeAll([]int)                         {}

// Probe returns ErrNotSupported.
func Probe() error { return ErrNotSupported }

func duplicate(int) (int, error) { return -1, ErrNotSupported }
