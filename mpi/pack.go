package mpi

// Pack appends the message of d to dst, as append does: its elements one after the other, without what lies between them, d.Len
// bytes in all (MPI_PACK; MPI 4.1, section 5.2). Several Data may be packed behind each other. Bytes of the result is received as
// the numbers that it has, and a message that has come as Bytes is unpacked. dst must not be memory of d.
func (d Data) Pack(dst []byte) ([]byte, error) {
	return valueOr(d.memory().AppendPacked("mpi.Data.Pack", dst))
}

// Unpack copies the first d.Len bytes of src to the elements of d, which are of the types that were packed, and returns the bytes
// that follow them (MPI_UNPACK; section 5.2). If src is shorter the error is ErrTruncate, nothing is written, and all of src is
// returned.
func (d Data) Unpack(src []byte) (rest []byte, err error) {
	return valueOr(d.memory().TakePacked("mpi.Data.Unpack", src))
}

// PackExternal is Pack in external32, the format of files and of other machines: numbers have their first byte first
// (MPI_PACK_EXTERNAL; section 5.3). They have the sizes that they have in Go, 8 bytes for an int.
func (d Data) PackExternal(dst []byte) ([]byte, error) {
	return valueOr(d.memory().AppendExternal("mpi.Data.PackExternal", dst))
}

// UnpackExternal is Unpack of external32 (MPI_UNPACK_EXTERNAL; section 5.3).
func (d Data) UnpackExternal(src []byte) (rest []byte, err error) {
	return valueOr(d.memory().TakeExternal("mpi.Data.UnpackExternal", src))
}

// ExternalLen is how many bytes PackExternal appends, 0 if d.Err is not nil (MPI_PACK_EXTERNAL_SIZE; section 5.3).
func (d Data) ExternalLen() int {
	n, _ := d.memory().ExternalLen("mpi.Data.ExternalLen") // without elements if there is an error
	return n
}
