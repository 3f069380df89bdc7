package file

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// failed is the error of an operation that the operating system has refused. doing says what it was to do.
func failed(op, doing string, err error) error {
	class := rpi.ErrIO
	switch {
	case errors.Is(err, syscall.EROFS):
		class = rpi.ErrReadOnly
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EFBIG):
		class = rpi.ErrNoSpace
	case errors.Is(err, syscall.EDQUOT):
		class = rpi.ErrQuota
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		class = rpi.ErrBadFile
	case errors.Is(err, fs.ErrNotExist):
		class = rpi.ErrNoSuchFile
	case errors.Is(err, fs.ErrExist):
		class = rpi.ErrFileExists
	case errors.Is(err, fs.ErrPermission):
		class = rpi.ErrAccess
	case errors.Is(err, errors.ErrUnsupported):
		class = rpi.ErrUnsupported
	}
	reason := err
	if path, ok := err.(*fs.PathError); ok { // doing names the file
		reason = path.Err
	}
	return mpierr.Because(err, op, class, "%s: %v", doing, reason)
}

// refused is the error of an operation whose datatype cannot be used.
func refused(op string, err error) error {
	class := rpi.ErrType
	switch {
	case errors.Is(err, datatype.ErrCount):
		class = rpi.ErrCount
	case errors.Is(err, datatype.ErrArg):
		class = rpi.ErrArg
	case errors.Is(err, datatype.ErrConvert):
		class = rpi.ErrConversion
	}
	return mpierr.Because(err, op, class, "%v", err)
}
