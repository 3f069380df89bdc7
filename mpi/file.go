package mpi

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
)

// File is a file that the ranks of a communicator have opened together, to read and write parts of it each (MPI 4.1,
// chapter 14). All methods may be called from several goroutines. Collective ones must be called by all ranks, in the
// same order; they run one after the other. An error of one rank in a collective method is an error on all.
//
// A rank sees the file through a view, at first as bytes: see SetView. Offsets and positions are numbers of elements of
// the view. Memory is given as Data: Elements(slice) is all of a slice. Its elements must be those of the view; bytes,
// as a view or in memory, go with anything.
//
// A read ends at the end of the file. Its Status has how many elements and bytes there were, and memory beyond keeps
// its value.
//
// Accesses of different ranks that overlap have no order, and one rank sees what another has written when it reads
// after the write has ended (after a Barrier, for instance). Across hosts that share a file system, call Sync before
// and after the Barrier. In atomic mode accesses that overlap happen one after the other.
type File struct{ file core.File }

func (f *File) core() *core.File { return (*core.File)(unsafe.Pointer(f)) }

// FileMode says how a file is opened. Modes are joined with |; exactly one is ReadOnly, WriteOnly or ReadWrite.
type FileMode int

// The modes of OpenFile (MPI 4.1, section 14.2.1).
const (
	ReadOnly      FileMode = FileMode(file.ReadOnly)      // it is only read (MPI_MODE_RDONLY)
	WriteOnly     FileMode = FileMode(file.WriteOnly)     // it is only written (MPI_MODE_WRONLY)
	ReadWrite     FileMode = FileMode(file.ReadWrite)     // both (MPI_MODE_RDWR)
	Create        FileMode = FileMode(file.Create)        // it is made if it is not there
	Exclusive     FileMode = FileMode(file.Exclusive)     // with Create: it must not be there
	DeleteOnClose FileMode = FileMode(file.DeleteOnClose) // Close removes it
	UniqueOpen    FileMode = FileMode(file.UniqueOpen)    // the program promises that it is opened nowhere else; changes nothing
	Append        FileMode = FileMode(file.Append)        // positions are at its end at first
	Sequential    FileMode = FileMode(file.Sequential)    // it is accessed by ReadShared, WriteShared, ReadOrdered and WriteOrdered only
)

// String names the modes, joined with |.
func (m FileMode) String() string { return file.Mode(m).String() }

// OpenFile opens a file on all ranks of c (MPI_FILE_OPEN; MPI 4.1, section 14.2.1). Collective. All ranks pass the same
// mode; the path may differ in text, but must be that of the same file. Rank 0 makes a file that is not there. It must
// be a regular file. Close it before Finalize.
//
// Of the hints these have an effect. All ranks pass the same values, except of the buffer for reading.
//
//   - collective_buffering: "true" or "false" has collective accesses always or never go through some ranks, which write
//     and read for all. Without, where it is faster.
//   - cb_nodes: how many ranks do that at most, 8 without.
//   - cb_buffer_size: how many bytes of the file each of them has in memory, 4 MiB without.
//   - ind_rd_buffer_size: how many bytes a rank reads at once if it needs many small pieces, 512 KiB without.
//   - romio_ds_write: "enable" lets a rank that writes many small pieces write what is between them too. Then all writes lock
//     their part of the file.
//   - file_perm: permissions of a file that is made, an octal number, 666 without.
//
// Errors are of the classes ErrAMode, ErrNotSame, ErrNoSuchFile, ErrFileExists, ErrAccess, ErrReadOnly, ErrBadFile,
// ErrInfoValue and the like.
func OpenFile(c *Comm, path string, mode FileMode, hints *Info) (*File, error) {
	f, err := c.core().OpenFile(path, file.Mode(mode), hints.core())
	return (*File)(unsafe.Pointer(f)), public(err)
}

// DeleteFile removes a file (MPI_FILE_DELETE; section 14.2.3). It is not collective. ErrNoSuchFile: there is none.
func DeleteFile(path string) error { return public(file.Delete(path)) }

// Close closes the file (MPI_FILE_CLOSE; section 14.2.2). Collective. What this rank has written is on the disk then.
// Requests of the file must have completed. The file is closed even if Close fails.
func (f *File) Close() error { return public(f.core().Inner().Close()) }

// Mode is how the file was opened (MPI_FILE_GET_AMODE; section 14.2.7).
func (f *File) Mode() FileMode { return FileMode(f.core().Inner().Mode()) }

// Size is the length of the file in bytes (MPI_FILE_GET_SIZE; section 14.2.6).
func (f *File) Size() (int64, error) { return valueOr(f.core().Inner().Size()) }

// SetSize makes the file so many bytes long: it is cut off, or extended with zeros (MPI_FILE_SET_SIZE; section 14.2.4).
// Collective.
func (f *File) SetSize(size int64) error { return public(f.core().Inner().SetSize(size)) }

// Preallocate has the file system reserve space for the first size bytes, and makes the file as long at least
// (MPI_FILE_PREALLOCATE; section 14.2.5). Collective.
func (f *File) Preallocate(size int64) error { return public(f.core().Inner().Preallocate(size)) }

// Sync returns when what the ranks have written is on the disk (MPI_FILE_SYNC; section 14.6.1). Collective.
func (f *File) Sync() error { return public(f.core().Inner().Sync()) }

// SetAtomicity turns atomic mode on or off (MPI_FILE_SET_ATOMICITY; section 14.6.1). Collective. In it each access,
// however many pieces it has, happens before or after those of other ranks that overlap it. The parts of the file are
// locked for that. ErrUnsupported: the operating system has no locks. On Linux a lock is for a range of bytes,
// elsewhere for the file.
func (f *File) SetAtomicity(on bool) error { return public(f.core().Inner().SetAtomicity(on)) }

// Atomicity reports whether the file is in atomic mode (MPI_FILE_GET_ATOMICITY).
func (f *File) Atomicity() bool { return f.core().Inner().Atomicity() }

// SetInfo changes hints: see OpenFile (MPI_FILE_SET_INFO; section 14.2.8). Collective.
func (f *File) SetInfo(hints *Info) error { return public(f.core().SetInfo(hints.core())) }

// Info are the hints that are in use (MPI_FILE_GET_INFO; section 14.2.8).
func (f *File) Info() *Info { return newInfo(f.core().Info()) }

// Seek moves this rank's position to an offset from the beginning of the view (io.SeekStart), from the position
// (io.SeekCurrent) or from the end of the file (io.SeekEnd), and returns it (MPI_FILE_SEEK; section 14.4.3).
func (f *File) Seek(offset int64, whence int) (int64, error) {
	return valueOr(f.core().Inner().Seek(offset, whence))
}

// Position is this rank's position (MPI_FILE_GET_POSITION; section 14.4.3).
func (f *File) Position() (int64, error) { return valueOr(f.core().Inner().Position()) }

// ByteOffset is where in the file an offset of the view is, in bytes (MPI_FILE_GET_BYTE_OFFSET; section 14.4.3).
func (f *File) ByteOffset(offset int64) (int64, error) {
	return valueOr(f.core().Inner().ByteOffset(offset))
}

// SeekShared moves the position that all ranks share, as Seek does (MPI_FILE_SEEK_SHARED; section 14.4.4). Collective,
// with the same arguments on all ranks.
func (f *File) SeekShared(offset int64, whence int) error {
	return public(f.core().Inner().SeekShared(offset, whence))
}

// PositionShared is the position that all ranks share (MPI_FILE_GET_POSITION_SHARED; section 14.4.4).
func (f *File) PositionShared() (int64, error) { return valueOr(f.core().Inner().PositionShared()) }

// Group is the processes that have opened the file (MPI_FILE_GET_GROUP; section 14.2.7).
func (f *File) Group() (*Group, error) { return groupOr(f.core().Group()) }
