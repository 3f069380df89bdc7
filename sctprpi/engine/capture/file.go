package capture

import (
	"errors"
	"io/fs"
	"os"
)

// file is a capture file that is begun anew when it is full.
type file struct {
	f      *os.File
	path   string
	header []byte
	size   int64
	limit  int64 // of size, or 0: not a regular file, and none is needed
}

// createFile creates the file path with its header, and removes what an earlier
// capture has left beside it.
func createFile(path string, header []byte, limit int64) (*file, error) {
	f := &file{path: path, header: header}
	if err := f.begin(); err != nil {
		return nil, err
	}
	info, err := f.f.Stat()
	if err == nil && info.Mode().IsRegular() {
		f.limit = limit
		err = unlessMissing(os.Remove(f.oldPath()))
	}
	if err != nil {
		return nil, errors.Join(err, f.f.Close())
	}
	return f, nil
}

// begin creates or empties the file, for its owner alone: it will hold what
// users send.
func (f *file) begin() error {
	created, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	f.f, f.size = created, 0
	if _, err := f.write(f.header); err != nil {
		return errors.Join(err, f.f.Close())
	}
	return nil
}

// Write writes whole blocks. After an error the file ends with a whole block.
func (f *file) Write(blocks []byte) (int, error) {
	if f.limit > 0 && f.size+int64(len(blocks)) > f.limit {
		if err := f.rotate(); err != nil {
			return 0, err
		}
	}
	return f.write(blocks)
}

func (f *file) write(blocks []byte) (int, error) {
	n, err := f.f.Write(blocks)
	if err != nil {
		// Readers can do without this, so its error says nothing new.
		_ = f.f.Truncate(f.size + int64(wholeBlocks(blocks, n)))
		return n, err
	}
	f.size += int64(n)
	return n, nil
}

// rotate renames the file and begins a new one. It is no error if the file has been removed in the
// meantime.
func (f *file) rotate() error {
	if err := f.f.Close(); err != nil {
		return err
	}
	if err := unlessMissing(os.Rename(f.path, f.oldPath())); err != nil {
		return err
	}
	return f.begin()
}

func (f *file) oldPath() string { return f.path + ".old" }

// Close closes the file, unless a rotation has closed it and gone no further.
func (f *file) Close() error {
	if err := f.f.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
