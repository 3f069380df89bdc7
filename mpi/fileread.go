package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core/file"

// ReadAt reads elements from an offset of the view on (MPI_FILE_READ_AT; MPI 4.1, section 14.4.2).
func (f *File) ReadAt(offset int64, data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Pointer: file.At}, offset, data.memory()))
}

// IreadAt is ReadAt that does not wait (MPI_FILE_IREAD_AT; section 14.4.2). The data must not be used until the request
// has completed. It cannot be cancelled.
func (f *File) IreadAt(offset int64, data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Pointer: file.At, Form: file.Nonblocking}, offset, data.memory()))
}

// ReadAtAll is ReadAt that all ranks call (MPI_FILE_READ_AT_ALL; section 14.4.2). Collective. Small pieces of many
// ranks become large ones of the file, which is much faster than ReadAt.
func (f *File) ReadAtAll(offset int64, data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Pointer: file.At, Collective: true}, offset, data.memory()))
}

// IreadAtAll is ReadAtAll that does not wait (MPI_FILE_IREAD_AT_ALL; section 14.4.2). Collective. Operations of the
// file run in the order of the calls. See IreadAt.
func (f *File) IreadAtAll(offset int64, data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Pointer: file.At, Collective: true, Form: file.Nonblocking}, offset, data.memory()))
}

// ReadAtAllBegin begins ReadAtAll, and ReadAtAllEnd waits for its end (MPI_FILE_READ_AT_ALL_BEGIN; section 14.4.5).
// Both are collective. A file has one such operation under way at a time.
func (f *File) ReadAtAllBegin(offset int64, data Data) error {
	return public(f.core().Begin(file.Access{Pointer: file.At, Collective: true, Form: file.Split}, offset, data.memory()))
}

// ReadAtAllEnd is the second half of ReadAtAllBegin, with the same data (MPI_FILE_READ_AT_ALL_END; section 14.4.5).
func (f *File) ReadAtAllEnd(data Data) (Status, error) {
	return outcome(f.core().End(file.Access{Pointer: file.At, Collective: true, Form: file.Split}, data.memory()))
}

// Read reads elements from this rank's position on, and moves it behind them, though the file may end before
// (MPI_FILE_READ; MPI 4.1, section 14.4.3).
func (f *File) Read(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Pointer: file.Individual}, 0, data.memory()))
}

// Iread is Read that does not wait (MPI_FILE_IREAD; section 14.4.3). The data must not be used until the request has
// completed. It cannot be cancelled.
func (f *File) Iread(data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Pointer: file.Individual, Form: file.Nonblocking}, 0, data.memory()))
}

// ReadAll is Read that all ranks call (MPI_FILE_READ_ALL; section 14.4.3). Collective. Small pieces of many ranks
// become large ones of the file, which is much faster than Read.
func (f *File) ReadAll(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Pointer: file.Individual, Collective: true}, 0, data.memory()))
}

// IreadAll is ReadAll that does not wait (MPI_FILE_IREAD_ALL; section 14.4.3). Collective. Operations of the file run
// in the order of the calls. See Iread.
func (f *File) IreadAll(data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Pointer: file.Individual, Collective: true, Form: file.Nonblocking}, 0, data.memory()))
}

// ReadAllBegin begins ReadAll, and ReadAllEnd waits for its end (MPI_FILE_READ_ALL_BEGIN; section 14.4.5). Both are
// collective. A file has one such operation under way at a time.
func (f *File) ReadAllBegin(data Data) error {
	return public(f.core().Begin(file.Access{Pointer: file.Individual, Collective: true, Form: file.Split}, 0, data.memory()))
}

// ReadAllEnd is the second half of ReadAllBegin, with the same data (MPI_FILE_READ_ALL_END; section 14.4.5).
func (f *File) ReadAllEnd(data Data) (Status, error) {
	return outcome(f.core().End(file.Access{Pointer: file.Individual, Collective: true, Form: file.Split}, data.memory()))
}

// ReadShared reads elements from the position that all ranks share on, and moves it behind them. The views of all ranks
// must be the same (MPI_FILE_READ_SHARED; MPI 4.1, section 14.4.4).
func (f *File) ReadShared(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Pointer: file.Shared}, 0, data.memory()))
}

// IreadShared is ReadShared that does not wait (MPI_FILE_IREAD_SHARED; section 14.4.4). The data must not be used until
// the request has completed. It cannot be cancelled.
func (f *File) IreadShared(data Data) (*Request, error) {
	return newRequest(f.core().Start(file.Access{Pointer: file.Shared, Form: file.Nonblocking}, 0, data.memory()))
}

// ReadOrdered is ReadShared of all ranks, in their order: each has the elements behind those of the lower ranks
// (MPI_FILE_READ_ORDERED; section 14.4.4). Collective.
func (f *File) ReadOrdered(data Data) (Status, error) {
	return outcome(f.core().Do(file.Access{Pointer: file.Shared, Collective: true}, 0, data.memory()))
}

// ReadOrderedBegin begins ReadOrdered, and ReadOrderedEnd waits for its end (MPI_FILE_READ_ORDERED_BEGIN; section
// 14.4.5). Both are collective. A file has one such operation under way at a time.
func (f *File) ReadOrderedBegin(data Data) error {
	return public(f.core().Begin(file.Access{Pointer: file.Shared, Collective: true, Form: file.Split}, 0, data.memory()))
}

// ReadOrderedEnd is the second half of ReadOrderedBegin, with the same data (MPI_FILE_READ_ORDERED_END; section
// 14.4.5).
func (f *File) ReadOrderedEnd(data Data) (Status, error) {
	return outcome(f.core().End(file.Access{Pointer: file.Shared, Collective: true, Form: file.Split}, data.memory()))
}
