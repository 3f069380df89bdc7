package datatype

import (
	"encoding/binary"
	"runtime"
	"unsafe"
)

// ExternalSize is how many bytes count elements take in external32 (MPI_Pack_external_size; section 14.5.2).
func (t *Type) ExternalSize(count int64) (int64, error) {
	if count < 0 {
		return 0, invalid(ErrCount, "the count is %d", count)
	}
	size, ok := multiply(count, t.list.external)
	if !ok {
		return 0, invalid(ErrCount, "%d elements of %d bytes in external32 are more than 64 bits can count", count, t.list.external)
	}
	return size, nil
}

// PackExternal writes count elements at src to dst in external32: numbers with their first byte first, in IEEE formats, and of the
// sizes of the standard's table. It returns how many bytes it wrote. An integer that does not fit there is an error,
// ErrConvert: a long has 32 bits in external32, a wchar 16. Nothing is written if dst is too short.
func (t *Type) PackExternal(dst []byte, src unsafe.Pointer, count int64) (int, error) {
	return t.convert(dst, src, count, false)
}

// UnpackExternal is the opposite of PackExternal. It returns how many bytes of src it read.
func (t *Type) UnpackExternal(dst unsafe.Pointer, count int64, src []byte) (int, error) {
	return t.convert(src, dst, count, true)
}

func (t *Type) convert(packed []byte, memory unsafe.Pointer, count int64, unpack bool) (int, error) {
	size, err := t.ExternalSize(count)
	if err != nil {
		return 0, err
	}
	if size > int64(len(packed)) {
		return 0, invalid(ErrTruncate, "%d elements take %d bytes in external32, and there are %d", count, size, len(packed))
	}
	c := converter{packed[:size], memory, unpack, nil}
	for i := range count {
		c.list(t.list, i*t.extent())
	}
	return int(size) - len(c.packed), c.err
}

// converter copies between external32 and memory.
type converter struct {
	packed []byte // what remains
	memory unsafe.Pointer
	unpack bool
	err    error
}

func (c *converter) list(l *list, at int64) {
	for i := range l.loops {
		p := &l.loops[i]
		for n := range p.count {
			if c.err != nil {
				return
			}
			if here := at + p.disp + n*p.stride; p.body != nil {
				c.list(p.body, here)
			} else {
				c.run(p.kind, here, p.size)
			}
		}
	}
}

//go:nocheckptr
func (c *converter) run(k Kind, at, size int64) {
	traits := &kinds[k]
	native := unsafe.Slice((*byte)(unsafe.Add(c.memory, at)), size)
	external := c.packed[:size/traits.size*traits.external]
	c.packed = c.packed[len(external):]
	switch {
	case traits.size != traits.external:
		c.err = resize(k, external, native, c.unpack)
	case extended && (k == LongDouble || k == LongDoubleComplex):
		for i := 0; i < len(native); i += 16 {
			if c.unpack {
				toExtended(native[i:], external[i:])
			} else {
				fromExtended(external[i:], native[i:])
			}
		}
	case c.unpack:
		swap(native, external, traits.part)
	default:
		swap(external, native, traits.part)
	}
}

// resize converts integers that are shorter in external32.
func resize(k Kind, external, native []byte, unpack bool) error {
	size, short := int(kinds[k].size), int(kinds[k].external)
	for ; len(native) > 0; native, external = native[size:], external[short:] {
		switch k {
		case Long, Ulong:
			if unpack {
				v := binary.BigEndian.Uint32(external)
				if k == Long {
					binary.NativeEndian.PutUint64(native, uint64(int64(int32(v))))
				} else {
					binary.NativeEndian.PutUint64(native, uint64(v))
				}
				continue
			}
			v := binary.NativeEndian.Uint64(native)
			if k == Long && int64(v) != int64(int32(v)) {
				return invalid(ErrConvert, "a long of %d does not fit into the 32 bits that it has in external32", int64(v))
			} else if k == Ulong && v != uint64(uint32(v)) {
				return invalid(ErrConvert, "an unsigned long of %d does not fit into the 32 bits that it has in external32", v)
			}
			binary.BigEndian.PutUint32(external, uint32(v))
		case Wchar:
			if unpack {
				binary.NativeEndian.PutUint32(native, uint32(binary.BigEndian.Uint16(external)))
				continue
			}
			v := binary.NativeEndian.Uint32(native)
			if v != uint32(uint16(v)) {
				return invalid(ErrConvert, "a wchar of %#x does not fit into the 16 bits that it has in external32", v)
			}
			binary.BigEndian.PutUint16(external, uint16(v))
		}
	}
	return nil
}

// extended says that a long double has the ten bytes of x87; elsewhere it is an IEEE number of 16 bytes.
const extended = runtime.GOARCH == "amd64" || runtime.GOARCH == "386"

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// swap copies src, parts of so many bytes, and makes their first byte the last on machines that have it so.
func swap(dst, src []byte, part int64) {
	if !littleEndian || part == 1 {
		copy(dst, src)
		return
	}
	for i := 0; i < len(src); i += int(part) {
		d, s := dst[i:], src[i:]
		switch part {
		case 2:
			binary.BigEndian.PutUint16(d, binary.LittleEndian.Uint16(s))
		case 4:
			binary.BigEndian.PutUint32(d, binary.LittleEndian.Uint32(s))
		case 8:
			binary.BigEndian.PutUint64(d, binary.LittleEndian.Uint64(s))
		case 16:
			binary.BigEndian.PutUint64(d, binary.LittleEndian.Uint64(s[8:]))
			binary.BigEndian.PutUint64(d[8:], binary.LittleEndian.Uint64(s))
		}
	}
}

// fromExtended converts an x87 number to IEEE's of 16 bytes, which has all its values.
func fromExtended(dst, src []byte) {
	mantissa, top := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint16(src[8:])
	exponent, fraction, integer := uint64(top&0x7fff), mantissa&^(1<<63), mantissa>>63
	switch {
	case exponent == 0 && integer == 1:
		exponent = 1
	case exponent != 0 && integer == 0: // the processor takes it for invalid
		exponent, fraction = 0x7fff, 1<<62
	}
	binary.BigEndian.PutUint64(dst, uint64(top>>15)<<63|exponent<<48|fraction>>15)
	binary.BigEndian.PutUint64(dst[8:], fraction<<49)
}

// toExtended converts IEEE's number of 16 bytes to the nearest one of x87, of two the even one.
func toExtended(dst, src []byte) {
	high, low := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
	exponent, mantissa, rest := high>>48&0x7fff, (high&(1<<48-1))<<15|low>>49, low&(1<<49-1)
	if exponent == 0x7fff {
		if mantissa == 0 && rest != 0 { // a NaN must not become infinite
			mantissa = 1 << 62
		}
		mantissa |= 1 << 63
	} else {
		if exponent != 0 {
			mantissa |= 1 << 63
		}
		if rest > 1<<48 || rest == 1<<48 && mantissa&1 == 1 {
			mantissa++
		}
		switch {
		case exponent != 0 && mantissa == 0: // it was all ones
			mantissa = 1 << 63
			exponent++
		case exponent == 0 && mantissa == 1<<63:
			exponent = 1
		}
	}
	binary.LittleEndian.PutUint64(dst, mantissa)
	binary.LittleEndian.PutUint16(dst[8:], uint16(high>>63<<15|exponent))
	clear(dst[10:16])
}
