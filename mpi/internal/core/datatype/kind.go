package datatype

import "fmt"

// Kind is a predefined type: a basic one, or a pair of two for MINLOC and MAXLOC (sections 3.2.2 and 6.9.4). Types of C and
// Fortran with the same representation have the same kind: MPI_INT, MPI_INT32_T and MPI_INTEGER are all Int32. Kinds of one
// byte are those of the wire: their numbers must stay.
type Kind uint8

const (
	Invalid Kind = iota
	// Byte is uninterpreted. Packed is the result of Pack and matches all kinds.
	Byte
	Packed
	Bool // of C and Go, 1 byte
	Char // a character, of C or Fortran
	Int8
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Int128 // MPI_INTEGER16
	// Long and Ulong are C's long with 64 bits. They match Int64 and Uint64, but have 32 bits in external32.
	Long
	Ulong
	Wchar // C's wchar_t, 32 bits here and 16 in external32
	Float16
	Float32
	Float64
	LongDouble // 16 bytes, of which x86 uses ten
	Float128   // MPI_REAL16
	Complex32  // two Float16, and so on
	Complex64
	Complex128
	LongDoubleComplex
	Complex256
	Logical1 // of Fortran, by bytes
	Logical2
	Logical4
	Logical8
	Logical16
	// The pairs, with the layout that C gives the struct. Int is Int32.
	FloatInt
	DoubleInt
	LongInt
	TwoInt
	ShortInt
	LongDoubleInt
	TwoFloat  // MPI_2REAL
	TwoDouble // MPI_2DOUBLE_PRECISION
	// The pairs of Go: a value and an Int64.
	LocatedInt8
	LocatedInt16
	LocatedInt32
	LocatedInt64
	LocatedUint8
	LocatedUint16
	LocatedUint32
	LocatedUint64
	LocatedFloat32
	LocatedFloat64
	kindEnd
)

// Kinds is more than the number of any kind.
const Kinds = int(kindEnd)

// traits are what there is to know of a kind.
type traits struct {
	name     string
	size     int64 // bytes in memory
	align    int64 // bytes
	external int64 // bytes in external32
	part     int64 // bytes of what has a byte order: half of a complex number
	as       Kind  // the kind it matches, if it is another
	pair     [2]Kind
}

var kinds = [kindEnd]traits{
	Byte: {"byte", 1, 1, 1, 1, 0, none}, Packed: {"packed", 1, 1, 1, 1, 0, none}, Bool: {"bool", 1, 1, 1, 1, 0, none},
	Char: {"char", 1, 1, 1, 1, 0, none},
	Int8: {"int8", 1, 1, 1, 1, 0, none}, Uint8: {"uint8", 1, 1, 1, 1, 0, none},
	Int16: {"int16", 2, 2, 2, 2, 0, none}, Uint16: {"uint16", 2, 2, 2, 2, 0, none},
	Int32: {"int32", 4, 4, 4, 4, 0, none}, Uint32: {"uint32", 4, 4, 4, 4, 0, none},
	Int64: {"int64", 8, 8, 8, 8, 0, none}, Uint64: {"uint64", 8, 8, 8, 8, 0, none}, Int128: {"int128", 16, 16, 16, 16, 0, none},
	Long: {"long", 8, 8, 4, 8, Int64, none}, Ulong: {"unsigned long", 8, 8, 4, 8, Uint64, none},
	Wchar:   {"wchar", 4, 4, 2, 4, 0, none},
	Float16: {"float16", 2, 2, 2, 2, 0, none}, Float32: {"float32", 4, 4, 4, 4, 0, none}, Float64: {"float64", 8, 8, 8, 8, 0, none},
	LongDouble: {"long double", 16, 16, 16, 16, 0, none}, Float128: {"float128", 16, 16, 16, 16, 0, none},
	Complex32: {"complex32", 4, 2, 4, 2, 0, none}, Complex64: {"complex64", 8, 4, 8, 4, 0, none},
	Complex128: {"complex128", 16, 8, 16, 8, 0, none}, LongDoubleComplex: {"long double complex", 32, 16, 32, 16, 0, none},
	Complex256: {"complex256", 32, 16, 32, 16, 0, none},
	Logical1:   {"logical1", 1, 1, 1, 1, 0, none}, Logical2: {"logical2", 2, 2, 2, 2, 0, none},
	Logical4: {"logical4", 4, 4, 4, 4, 0, none}, Logical8: {"logical8", 8, 8, 8, 8, 0, none},
	Logical16: {"logical16", 16, 16, 16, 16, 0, none},
	FloatInt:  pair("float-int", Float32, Int32), DoubleInt: pair("double-int", Float64, Int32),
	LongInt: pair("long-int", Long, Int32), TwoInt: pair("2int", Int32, Int32),
	ShortInt: pair("short-int", Int16, Int32), LongDoubleInt: pair("long-double-int", LongDouble, Int32),
	TwoFloat: pair("2float", Float32, Float32), TwoDouble: pair("2double", Float64, Float64),
	LocatedInt8: pair("located int8", Int8, Int64), LocatedInt16: pair("located int16", Int16, Int64),
	LocatedInt32: pair("located int32", Int32, Int64), LocatedInt64: pair("located int64", Int64, Int64),
	LocatedUint8: pair("located uint8", Uint8, Int64), LocatedUint16: pair("located uint16", Uint16, Int64),
	LocatedUint32: pair("located uint32", Uint32, Int64), LocatedUint64: pair("located uint64", Uint64, Int64),
	LocatedFloat32: pair("located float32", Float32, Int64), LocatedFloat64: pair("located float64", Float64, Int64),
}

var none [2]Kind

func pair(name string, value, index Kind) traits {
	return traits{name: name, pair: [2]Kind{value, index}}
}

// String is the name of k in errors.
func (k Kind) String() string {
	if k.Valid() {
		return kinds[k].name
	}
	return fmt.Sprintf("a kind unknown here (%d)", uint8(k))
}

// Valid reports whether k is one of the constants, except Invalid.
func (k Kind) Valid() bool { return k > Invalid && k < kindEnd }

// Pair returns the kinds of the two members of a pair, and whether k is one.
func (k Kind) Pair() (value, index Kind, ok bool) {
	if !k.Valid() || kinds[k].pair == none {
		return 0, 0, false
	}
	return kinds[k].pair[0], kinds[k].pair[1], true
}

// PairOf is the kind of pair that t, a type that is none, has the members and the layout of; Invalid if there is none.
func PairOf(t *Type) Kind {
	for k := LocatedInt8; k < kindEnd; k++ {
		if p := basics[k]; p.Size() == t.Size() && p.Extent() == t.Extent() && p.Signature() == t.Signature() {
			return k
		}
	}
	return Invalid
}

// Size is how many bytes an element takes in a message: of a pair without its padding.
func (k Kind) Size() int64 { return Basic(k).Size() }

// basic reports whether k may be the kind of an element of a type map.
func (k Kind) basic() bool { return k.Valid() && kinds[k].size > 0 }

// matching is the kind that stands for k in signatures.
func (k Kind) matching() Kind {
	if as := kinds[k].as; as != 0 {
		return as
	}
	return k
}

var basics = func() (all [kindEnd]*Type) {
	for k := range all {
		kind := Kind(k)
		switch value, index, isPair := kind.Pair(); {
		case isPair:
			var a assembly
			first, second := all[value], all[index]
			a.add(first.shape, 0, 1, 0)
			a.add(second.shape, roundUp(first.list.size, kinds[index].align), 1, 0)
			all[k] = predefined(a.shape(), kind)
		case kind.basic():
			var a assembly
			a.loops = []loop{{count: 1, size: kinds[k].size, kind: kind}}
			all[k] = predefined(a.shape(), kind)
		default:
			continue
		}
		all[k].Commit()
	}
	return all
}()

func predefined(s shape, k Kind) *Type {
	return &Type{shape: s, kind: k, unit: k, item: s.list.size, padded: true}
}

// Basic is the predefined type of kind k. It panics if there is none.
func Basic(k Kind) *Type {
	t := basics[k]
	if t == nil {
		panic(noType)
	}
	return t
}

const noType = "datatype: there is no predefined type of this kind"
