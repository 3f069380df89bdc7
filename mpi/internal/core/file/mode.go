package file

import (
	"fmt"
	"os"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Mode says how a file is opened (MPI 4.1, section 14.2.1). A face may have other numbers.
type Mode int

// The modes.
const (
	Create        Mode = 1
	ReadOnly      Mode = 2
	WriteOnly     Mode = 4
	ReadWrite     Mode = 8
	DeleteOnClose Mode = 16
	UniqueOpen    Mode = 32
	Exclusive     Mode = 64
	Append        Mode = 128
	Sequential    Mode = 256
	allModes      Mode = 511
)

var modeNames = []string{"Create", "ReadOnly", "WriteOnly", "ReadWrite", "DeleteOnClose", "UniqueOpen", "Exclusive", "Append", "Sequential"}

func (m Mode) String() string {
	var names []string
	for i, name := range modeNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if rest := m &^ allModes; rest != 0 || len(names) == 0 {
		names = append(names, fmt.Sprintf("%#x", int(rest)))
	}
	return strings.Join(names, "|")
}

// check refuses what the standard refuses.
func (m Mode) check(op string) error {
	access := m & (ReadOnly | WriteOnly | ReadWrite)
	switch {
	case m&^allModes != 0:
		return mpierr.Invalid(op, rpi.ErrAMode, "%v has bits that are no mode", m)
	case access == 0 || access&(access-1) != 0:
		return mpierr.Invalid(op, rpi.ErrAMode, "%v must have one of ReadOnly, WriteOnly and ReadWrite", m)
	case access == ReadOnly && m&(Create|Exclusive) != 0:
		return mpierr.Invalid(op, rpi.ErrAMode, "%v: Create and Exclusive are not for files that are only read", m)
	case access == ReadWrite && m&Sequential != 0:
		return mpierr.Invalid(op, rpi.ErrAMode, "%v: a file is read or written sequentially, not both", m)
	}
	return nil
}

func (m Mode) writes() bool { return m&ReadOnly == 0 }
func (m Mode) reads() bool  { return m&WriteOnly == 0 }

// flags are those of the operating system, but for the creation of the file.
func (m Mode) flags() int {
	switch {
	case m&ReadOnly != 0:
		return os.O_RDONLY
	case m&WriteOnly != 0:
		return os.O_WRONLY
	}
	return os.O_RDWR
}
