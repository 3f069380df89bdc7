// Package hostmem is memory that processes of one host share: files that have no name, and whose size cannot change, so that
// no access to their memory fails. It needs Linux.
package hostmem

import (
	"errors"
	"fmt"
)

// Why there is no memory.
var (
	ErrNotSupported = fmt.Errorf("shared memory needs Linux: %w", errors.ErrUnsupported)
	// ErrNoRoom: this host, or a memory control group of this process, has too little left.
	ErrNoRoom = errors.New("not enough memory left")
	// ErrUnfit: a file is not what New makes.
	ErrUnfit = errors.New("unfit memory")
)
