package datatype

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// Type is a datatype. It does not change, except for its name, and may be used by several goroutines.
type Type struct {
	shape
	kind      Kind // of a predefined type
	unit      Kind // the predefined type of which all is made; Invalid if there are several
	item      int64
	padded    bool
	loose     bool // its elements match all others
	refusal   error
	contents  Contents
	name      atomic.Pointer[string]
	committed atomic.Bool

	once     sync.Once
	prepared atomic.Bool // once is over
	bytes    *list       // the elements without their kinds
	exact    Signature
	pattern  pattern
	dense    bool
	plain    atomic.Pointer[Plain]
}

// Plain is what a message needs to know of a type that is dense, has no Err, and whose elements are not longer than PlainSize: as most types.
type Plain struct {
	Signature  Signature
	Item, Size int // of an element, in bytes
}

// shape is a type map: its elements, where it begins and ends.
type shape struct {
	list      *list
	low, high int64 // the lower and the upper bound
	marked    marks // the bounds that have been set: those of types made from this one follow them
}

// marks says which of the bounds have been set.
type marks uint8

const (
	lower marks = 1 << iota
	upper
)

// assembly makes a shape of others.
type assembly struct {
	builder
	loops     []loop
	low, high int64 // the bounds that are marked
	marked    marks
}

// add appends count copies of s at disp and each stride bytes.
func (a *assembly) add(s shape, disp, count, stride int64) {
	if count == 0 {
		return
	}
	a.loops = a.place(a.loops, s.list, disp, count, stride)
	if s.marked == 0 {
		return
	}
	last := a.builder.mul(count-1, stride)
	a.mark(s.marked, a.builder.add(disp, a.builder.add(s.low, min(0, last))), a.builder.add(disp, a.builder.add(s.high, max(0, last))))
}

// mark adds bounds that have been set. Those of a type are the outermost.
func (a *assembly) mark(which marks, low, high int64) {
	if which&lower != 0 && (a.marked&lower == 0 || low < a.low) {
		a.low = low
	}
	if which&upper != 0 && (a.marked&upper == 0 || high > a.high) {
		a.high = high
	}
	a.marked |= which
}

// shape ends an assembly. Bounds that have not been set are those of the elements, and the extent is then a multiple of
// the strictest alignment of an element, as in C (section 5.1).
func (a *assembly) shape() shape {
	s := shape{list: a.list(a.loops), low: a.low, high: a.high, marked: a.marked}
	if s.marked&lower == 0 {
		s.low = s.list.low
	}
	if s.marked&upper == 0 {
		size := a.builder.add(s.list.high, -s.low)
		s.high = a.builder.add(s.low, roundUp(min(size, math.MaxInt64-s.list.align), s.list.align))
	}
	a.builder.add(s.high, -s.low)
	a.builder.add(s.list.high, -s.list.low)
	return s
}

func (s shape) extent() int64 { return s.high - s.low }

// times is count copies of s, each stride bytes.
func (a *assembly) times(s shape, count, stride int64) shape {
	inner := assembly{builder: a.builder}
	inner.add(s, 0, count, stride)
	s = inner.shape()
	a.builder = inner.builder
	return s
}

// finish makes the type.
func (a *assembly) finish(c Contents) (*Type, error) {
	t := &Type{shape: a.shape(), contents: c}
	for _, part := range c.Types {
		t.loose = t.loose || part.loose
	}
	if a.overflow {
		return nil, invalid(ErrArg, "%v: the type is too large: its size, extent or a displacement does not fit into 64 bits", c.Combiner)
	}
	if t.Size() > 0 {
		t.unit = c.unit()
	}
	t.item = t.Size()
	if len(c.Types) > 0 && c.Combiner != CombinerStruct {
		t.item = c.Types[0].item
	}
	return t, nil
}

// Refuse returns a type without elements that stands for one that there is not: its Err has a class and says why.
func Refuse(class error, format string, arguments ...any) *Type {
	return Refused(invalid(class, format, arguments...))
}

// Refused is Refuse with an error of this package.
func Refused(err error) *Type {
	t := &Type{shape: (&assembly{}).shape(), refusal: err}
	t.prepare()
	return t
}

// Err says why nothing can be sent as t, nil if it can.
func (t *Type) Err() error { return t.refusal }

// unit is what the units of all types are that have elements in this one.
func (c Contents) unit() (unit Kind) {
	for i, t := range c.Types {
		if t.Size() == 0 || c.Combiner == CombinerStruct && c.Integers[1+i] == 0 {
			continue
		}
		if t.unit == Invalid || unit != Invalid && unit != t.unit {
			return Invalid
		}
		unit = t.unit
	}
	return unit
}

// Size is how many bytes an element of t takes in a message (MPI_Type_size).
func (t *Type) Size() int64 { return t.list.size }

// Extent is the distance in bytes from one element of t in a buffer to the next. It may be negative.
func (t *Type) Extent() int64 { return t.extent() }

// LowerBound is where an element begins, in bytes from its address. It ends at LowerBound + Extent.
func (t *Type) LowerBound() int64 { return t.low }

// TrueLowerBound is the displacement of the first byte that holds data, 0 if none does.
func (t *Type) TrueLowerBound() int64 { return t.list.low }

// TrueExtent is the number of bytes from the first to the last one that holds data.
func (t *Type) TrueExtent() int64 { return t.list.high - t.list.low }

// Elements is the number of basic elements: of a pair they are two.
func (t *Type) Elements() int64 { return t.list.elements }

// Kind is the kind of a predefined type, and Invalid of all others.
func (t *Type) Kind() Kind { return t.kind }

// Unit is the predefined type of which all of t is made, as operations for MPI_Accumulate need it. It is Invalid if there
// are several or none.
func (t *Type) Unit() Kind { return t.unit }

// Item is how many bytes of a message are one element to a program that counts them: of a type that repeats another one,
// those of that, and else Size. So a row of a matrix has as many elements as the slice that it is a part of.
func (t *Type) Item() int64 { return t.item }

// Padded reports whether what lies between the data of an element is padding, which may be written: the type is one of Go, or
// predefined.
func (t *Type) Padded() bool { return t.padded }

// Commit prepares t for sending. Methods that need it do it themselves, but the time that it takes is then theirs.
func (t *Type) Commit() {
	t.committed.Store(true)
	t.prepare()
}

// Committed reports whether Commit has been called, or t is predefined.
func (t *Type) Committed() bool { return t.committed.Load() }

// prepare works out what messages need to know of t, the first time. It is short enough to be inlined: each message asks.
func (t *Type) prepare() *Type {
	if !t.prepared.Load() {
		t.workOut()
	}
	return t
}

func (t *Type) workOut() {
	t.once.Do(func() {
		var b builder
		t.bytes = b.erase(t.list, make(map[*list]*list))
		t.pattern = patternOf(t.list, make(map[*list]pattern))
		t.exact = t.pattern.signature()
		disp, size, ok := t.block(1)
		t.dense = ok && disp == 0 && t.low == 0 && size == t.extent()
		if t.dense && t.refusal == nil && t.Size() <= PlainSize {
			p := Plain{t.exact, int(t.item), int(t.Size())}
			if t.loose {
				p.Signature = Any
			}
			t.plain.Store(&p)
		}
		t.prepared.Store(true)
	})
}

// Dense reports whether the elements of t lie in memory as they are sent, and elements of an array of t too: then nothing
// needs to be packed.
func (t *Type) Dense() bool { return t.prepare().dense }

// PlainSize bounds the size of an element of a plain type, in bytes.
const PlainSize = 1 << 23

// Plain is nil if t is not plain, or has not been prepared: other methods that messages need do that.
func (t *Type) Plain() *Plain { return t.plain.Load() }

// Block returns where the data of count elements is, if it is one piece of memory in the order of sending.
func (t *Type) Block(count int64) (disp, size int64, ok bool) { return t.prepare().block(count) }

func (t *Type) block(count int64) (disp, size int64, ok bool) {
	if count <= 0 || t.Size() == 0 {
		return 0, 0, true
	}
	l := t.repeat(count)
	return l.disp, l.size, l.body == nil && l.count == 1
}

// times is the loop of count elements, at least one. Span has been asked whether they fit.
func (t *Type) times(count int64) loop { return t.prepare().repeat(count) }

func (t *Type) repeat(count int64) loop {
	root, extent := t.bytes, t.extent()
	if len(root.loops) == 1 {
		l := root.loops[0]
		switch {
		case count == 1:
			return l
		case l.count == 1:
			l.count, l.stride = count, extent
			if l.body == nil && l.stride == l.size {
				l.size, l.count, l.stride = l.size*count, 1, 0
			}
			return l
		case l.count*l.stride == extent:
			l.count *= count
			return l
		}
	}
	return loop{count: count, stride: extent, size: root.size, body: root}
}

// Bytes is the size of a message of count elements.
func (t *Type) Bytes(count int64) (int64, error) {
	if count < 0 {
		return 0, invalid(ErrCount, "the count is %d", count)
	}
	size, ok := multiply(count, t.Size())
	if !ok {
		return 0, invalid(ErrCount, "%d elements of %d bytes are more than 64 bits can count", count, t.Size())
	}
	return size, nil
}

// Span is the part of memory in which count elements lie, in bytes from the buffer's address: from low on, and before high.
// Without elements it is empty. What a peer asks for is checked with it.
func (t *Type) Span(count int64) (low, high int64, err error) {
	if _, err := t.Bytes(count); err != nil || count == 0 || t.Size() == 0 {
		return 0, 0, err
	}
	var b builder
	last := b.mul(count-1, t.extent())
	low, high = b.add(t.list.low, min(0, last)), b.add(t.list.high, max(0, last))
	if b.add(high, -low); b.overflow {
		return 0, 0, invalid(ErrCount, "%d elements with an extent of %d bytes do not fit into memory", count, t.extent())
	}
	return low, high, nil
}

// Name is what SetName gave, or a description.
func (t *Type) Name() string {
	if name := t.name.Load(); name != nil {
		return *name
	}
	switch {
	case t.kind != Invalid:
		return t.kind.String()
	case t.unit != Invalid && t.Elements() > 0:
		return fmt.Sprintf("%v of %v", t.contents.Combiner, t.unit)
	}
	return fmt.Sprintf("%v of %d bytes", t.contents.Combiner, t.Size())
}

// SetName names t in errors (MPI_Type_set_name).
func (t *Type) SetName(name string) { t.name.Store(&name) }
