package mpi

import "io"

// FileBytes is a File as a series of bytes, for what takes an io.ReaderAt or an io.WriterAt: io.NewSectionReader, archive/zip,
// io.NewOffsetWriter. File.Bytes returns it.
type FileBytes struct{ f *File }

var (
	_ io.ReaderAt = FileBytes{}
	_ io.WriterAt = FileBytes{}
)

// Bytes returns the file as bytes. Offsets are those of this rank's view, which must have elements of one byte, as the view with which a
// file is opened: else calls fail with ErrArg. They are not collective, and may be used by several goroutines.
func (f *File) Bytes() FileBytes { return FileBytes{f} }

// ReadAt reads len(p) bytes at an offset. If the file has fewer, the error is io.EOF (io.ReaderAt).
func (b FileBytes) ReadAt(p []byte, offset int64) (n int, err error) {
	if err := b.check("mpi.FileBytes.ReadAt"); err != nil {
		return 0, err
	}
	status, err := b.f.ReadAt(offset, Elements(p))
	if n = status.Bytes; err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// WriteAt writes p at an offset (io.WriterAt).
func (b FileBytes) WriteAt(p []byte, offset int64) (n int, err error) {
	if err := b.check("mpi.FileBytes.WriteAt"); err != nil {
		return 0, err
	}
	status, err := b.f.WriteAt(offset, Elements(p))
	return status.Bytes, err
}

// check returns an error if the view has other elements than bytes.
func (b FileBytes) check(op string) error {
	if _, element, _, _ := b.f.core().Inner().View(); element.Size() != 1 {
		return invalid(op, ErrArg, "the view of the file has elements of %d bytes; set one of bytes, as FileView{} is", element.Size())
	}
	return nil
}
