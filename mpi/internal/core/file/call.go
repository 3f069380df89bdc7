package file

import "strings"

// call is an operation of a file, as ranks tell it each other and errors name it.
type call uint16

// The calls. Those of a file's data are made of a place and how: see Access.
const (
	callOpen call = 1 + iota
	callClose
	callSetSize
	callPreallocate
	callSetInfo
	callSetView
	callSetAtomicity
	callSync
	callSeekShared
	callSize
	callSeek
	callPosition
	callPositionShared
	callByteOffset
	callTypeExtent
	callDelete
	callEnd
	callsOfAccess // and more: see Access.call
)

var callNames = [callEnd]string{
	callOpen: "OpenFile", callClose: "File.Close", callSetSize: "File.SetSize", callPreallocate: "File.Preallocate",
	callSetInfo: "File.SetInfo", callSetView: "File.SetView", callSetAtomicity: "File.SetAtomicity", callSync: "File.Sync",
	callSeekShared: "File.SeekShared", callSize: "File.Size", callSeek: "File.Seek", callPosition: "File.Position",
	callPositionShared: "File.PositionShared", callByteOffset: "File.ByteOffset", callTypeExtent: "File.TypeExtent",
	callDelete: "DeleteFile",
}

// op is the name in errors.
func (c call) op() string { return "mpi." + c.String() }

// String is the name without the package's.
func (c call) String() string {
	switch {
	case c >= callsOfAccess:
		return accessOf(c).name()
	case c > 0 && c < callEnd:
		return callNames[c]
	}
	return "an operation unknown here"
}

// Pointer is where an access begins.
type Pointer uint8

// At begins at an offset that is given, Individual at this rank's pointer, Shared at the one that all ranks have.
const (
	At Pointer = iota
	Individual
	Shared
)

// Access is which of the operations that read and write it is (MPI 4.1, section 14.4). A collective one with the shared
// pointer is ordered by ranks.
type Access struct {
	Write      bool
	Collective bool
	Pointer    Pointer
	Form       Form
}

// Form says when an access returns.
type Form uint8

// Blocking accesses return when they are done. Nonblocking ones have an Operation. Split is the first half of a split
// collective one, of which End is the second.
const (
	Blocking Form = iota
	Nonblocking
	Split
)

func (a Access) call() call {
	c := call(a.Pointer)<<2 | call(a.Form)<<4
	if a.Write {
		c |= 1
	}
	if a.Collective {
		c |= 2
	}
	return callsOfAccess + c
}

// Op is the name of the operation in errors.
func (a Access) Op() string { return a.call().op() }

func accessOf(c call) Access {
	c -= callsOfAccess
	return Access{Write: c&1 != 0, Collective: c&2 != 0, Pointer: Pointer(c >> 2 & 3), Form: Form(c >> 4 & 3)}
}

func (a Access) name() string {
	var b strings.Builder
	verb := "Read"
	if a.Write {
		verb = "Write"
	}
	b.WriteString("File.")
	if a.Form == Nonblocking {
		b.WriteString("I")
		verb = strings.ToLower(verb)
	}
	b.WriteString(verb)
	switch {
	case a.Pointer == At:
		b.WriteString("At")
	case a.Pointer == Shared && a.Collective:
		b.WriteString("Ordered")
	case a.Pointer == Shared:
		b.WriteString("Shared")
	}
	if a.Collective && a.Pointer != Shared {
		b.WriteString("All")
	}
	if a.Form == Split {
		b.WriteString("Begin")
	}
	return b.String()
}
