package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core/file"

// WriteAt writes elements from an offset of the view on (MPI_FILE_WRITE_AT; MPI 4.1, section 14.4.2).
func (f *File) WriteAt(offset int64, data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Write: true, Pointer: file.At}, offset, data.memory()))
}

// IwriteAt is WriteAt that does not wait (MPI_FILE_IWRITE_AT; section 14.4.2). The data must not be used until the
// request has completed. It cannot be cancelled.
func (f *File) IwriteAt(offset int64, data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Write: true, Pointer: file.At, Form: file.Nonblocking}, offset, data.memory()))
}

// WriteAtAll is WriteAt that all ranks call (MPI_FILE_WRITE_AT_ALL; section 14.4.2). Collective. Small pieces of many
// ranks become large ones of the file, which is much faster than WriteAt.
func (f *File) WriteAtAll(offset int64, data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Write: true, Pointer: file.At, Collective: true}, offset, data.memory()))
}

// IwriteAtAll is WriteAtAll that does not wait (MPI_FILE_IWRITE_AT_ALL; section 14.4.2). Collective. Operations of the
// file run in the order of the calls. See IwriteAt.
func (f *File) IwriteAtAll(offset int64, data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Write: true, Pointer: file.At, Collective: true, Form: file.Nonblocking}, offset, data.memory()))
}

// WriteAtAllBegin begins WriteAtAll, and WriteAtAllEnd waits for its end (MPI_FILE_WRITE_AT_ALL_BEGIN; section 14.4.5).
// Both are collective. A file has one such operation under way at a time.
func (f *File) WriteAtAllBegin(offset int64, data Data) error {
	return public(f.core().Begin(file.Access{Write: true, Pointer: file.At, Collective: true, Form: file.Split}, offset, data.memory()))
}

// WriteAtAllEnd is the second half of WriteAtAllBegin, with the same data (MPI_FILE_WRITE_AT_ALL_END; section 14.4.5).
func (f *File) WriteAtAllEnd(data Data) (Status, error) {
	return outcome(f.core().End(file.Access{Write: true, Pointer: file.At, Collective: true, Form: file.Split}, data.memory()))
}

// Write writes elements from this rank's position on, and moves it behind them (MPI_FILE_WRITE; MPI 4.1, section
// 14.4.3).
func (f *File) Write(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Write: true, Pointer: file.Individual}, 0, data.memory()))
}

// Iwrite is Write that does not wait (MPI_FILE_IWRITE; section 14.4.3). The data must not be used until the request has
// completed. It cannot be cancelled.
func (f *File) Iwrite(data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Write: true, Pointer: file.Individual, Form: file.Nonblocking}, 0, data.memory()))
}

// WriteAll is Write that all ranks call (MPI_FILE_WRITE_ALL; section 14.4.3). Collective. Small pieces of many ranks
// become large ones of the file, which is much faster than Write.
func (f *File) WriteAll(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Write: true, Pointer: file.Individual, Collective: true}, 0, data.memory()))
}

// IwriteAll is WriteAll that does not wait (MPI_FILE_IWRITE_ALL; section 14.4.3). Collective. Operations of the file
// run in the order of the calls. See Iwrite.
func (f *File) IwriteAll(data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Write: true, Pointer: file.Individual, Collective: true, Form: file.Nonblocking}, 0, data.memory()))
}

// WriteAllBegin begins WriteAll, and WriteAllEnd waits for its end (MPI_FILE_WRITE_ALL_BEGIN; section 14.4.5). Both are
// collective. A file has one such operation under way at a time.
func (f *File) WriteAllBegin(data Data) error {
	return public(f.core().Begin(file.Access{Write: true, Pointer: file.Individual, Collective: true, Form: file.Split}, 0, data.memory()))
}

// WriteAllEnd is the second half of WriteAllBegin, with the same data (MPI_FILE_WRITE_ALL_END; section 14.4.5).
func (f *File) WriteAllEnd(data Data) (Status, error) {
	return outcome(f.core().End(file.Access{Write: true, Pointer: file.Individual, Collective: true, Form: file.Split}, data.memory()))
}

// WriteShared writes elements from the position that all ranks share on, and moves it behind them. The views of all
// ranks must be the same (MPI_FILE_WRITE_SHARED; MPI 4.1, section 14.4.4).
func (f *File) WriteShared(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Write: true, Pointer: file.Shared}, 0, data.memory()))
}

// IwriteShared is WriteShared that does not wait (MPI_FILE_IWRITE_SHARED; section 14.4.4). The data must not be used
// until the request has completed. It cannot be cancelled.
func (f *File) IwriteShared(data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Write: true, Pointer: file.Shared, Form: file.Nonblocking}, 0, data.memory()))
}

// WriteOrdered is WriteShared of all ranks, in their order: each has the elements behind those of the lower ranks
// (MPI_FILE_WRITE_ORDERED; section 14.4.4). Collective.
func (f *File) WriteOrdered(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Write: true, Pointer: file.Shared, Collective: true}, 0, data.memory()))
}

// WriteOrderedBegin begins WriteOrdered, and WriteOrderedEnd waits for its end (MPI_FILE_WRITE_ORDERED_BEGIN; section
// 14.4.5). Both are collective. A file has one such operation under way at a time.
func (f *File) WriteOrderedBegin(data Data) error {
	return public(f.core().Begin(file.Access{Write: true, Pointer: file.Shared, Collective: true, Form: file.Split}, 0, data.memory()))
}

// WriteOrderedEnd is the second half of WriteOrderedBegin, with the same data (MPI_FILE_WRITE_ORDERED_END; section
// 14.4.5).
func (f *File) WriteOrderedEnd(data Data) (Status, error) {
	return outcome(f.core().End(file.Access{Write: true, Pointer: file.Shared, Collective: true, Form: file.Split}, data.memory()))
}
