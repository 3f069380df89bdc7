package file

import (
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Access reads or writes memory, at offset if the access has one, and returns how many bytes. A file that ends before
// is no error of a read.
func (f *File) Access(a Access, offset int64, m Memory) (int64, error) {
	run, err := f.prepare(a, offset, m)
	if err != nil {
		return 0, err
	}
	var o outcome
	if a.Collective {
		f.turns.call(func() { o = run() })
	} else {
		o = run()
	}
	return o.bytes, o.err
}

// Start is Access that does not wait. If it has no error done is called when the access has ended, on a goroutine of
// this package or one that helps. Collective accesses have an order, and so no help: then nil is returned.
func (f *File) Start(a Access, offset int64, m Memory, done func(bytes int64, err error)) (*Pending, error) {
	run, err := f.prepare(a, offset, m)
	if err != nil {
		return nil, err
	}
	access := func() {
		o := run()
		done(o.bytes, o.err)
	}
	if a.Collective {
		f.turns.start(access)
		return nil, nil
	}
	p := &Pending{run: access}
	workers.start(p.Help)
	return p, nil
}

// Begin is the first half of a split collective access. A file has one under way at a time.
func (f *File) Begin(a Access, offset int64, m Memory) error {
	in := a.call()
	if err := f.usable(in); err != nil {
		return err
	}
	end := make(chan outcome, 1)
	f.mu.Lock()
	if f.split != nil {
		defer f.mu.Unlock()
		return mpierr.Invalid(in.op(), rpi.ErrOther, "%v is under way: a file has one split collective operation at a time", f.splitCall)
	}
	f.split, f.splitCall = end, in
	f.mu.Unlock()
	_, err := f.Start(a, offset, m, func(bytes int64, err error) { end <- outcome{bytes, err} })
	if err != nil { // it has been closed meanwhile
		f.mu.Lock()
		defer f.mu.Unlock()
		f.split = nil
	}
	return err
}

// End waits for what Begin has begun, and returns how many bytes were read or written.
func (f *File) End(a Access) (int64, error) {
	in := a.call()
	if err := f.usable(in); err != nil {
		return 0, err
	}
	f.mu.Lock()
	end := f.split
	if end == nil || f.splitCall != in {
		f.mu.Unlock()
		return 0, mpierr.Invalid(strings.TrimSuffix(in.op(), "Begin")+"End", rpi.ErrOther, "the operation has not been begun")
	}
	f.split = nil
	f.mu.Unlock()
	o := <-end
	return o.bytes, o.err
}

// prepare returns what does the access. That of a collective one is to be called when its turn comes; what is wrong
// with its arguments is its outcome, so that all ranks get it.
func (f *File) prepare(a Access, offset int64, m Memory) (func() outcome, error) {
	in := a.call()
	if err := f.usable(in); err != nil {
		return nil, err
	}
	if a.Collective {
		return f.together(in, a, offset, m), nil
	}
	return f.independent(in, a, offset, m)
}

// check checks the arguments of an access to v.
func (f *File) check(in call, a Access, v *view, m Memory) error {
	wrong := func(class rpi.Class, format string, args ...any) error {
		return mpierr.Invalid(in.op(), class, format, args...)
	}
	switch {
	case m.Err != nil:
		return m.Err
	case m.Type == nil:
		return wrong(rpi.ErrType, "the datatype is missing")
	case a.Write && !f.mode.writes():
		return f.writing(in)
	case !a.Write && !f.mode.reads():
		return wrong(rpi.ErrAccess, "%q is open as %v", f.path, f.mode)
	case a.Pointer != Shared && f.mode&Sequential != 0:
		return wrong(rpi.ErrUnsupported, "%q is open as %v: only the shared pointer can be used", f.path, f.mode)
	}
	bytes, err := m.Type.Bytes(m.Count)
	if err == nil {
		_, _, err = m.Type.Span(m.Count)
	}
	switch {
	case err != nil:
		return refused(in.op(), err)
	case bytes%v.unit != 0:
		return wrong(rpi.ErrArg, "%d bytes are not a multiple of the %d of an etype", bytes, v.unit)
	case m.Addr == nil && bytes > 0 && m.Type.Dense():
		return wrong(rpi.ErrBuffer, "the buffer is nil")
	}
	if !untyped(v.etype) && !untyped(m.Type) && v.etype.Signature() != m.Type.Signature() && bytes > 0 {
		return wrong(rpi.ErrType, "elements of %v cannot be in a view whose etype is %v", m.Type.Name(), v.etype.Name())
	}
	if v.rep == External32 && bytes > 0 {
		return portable(in.op(), m.Type)
	}
	return nil
}

// untyped reports whether a type is bytes, which stand for anything.
func untyped(t *datatype.Type) bool {
	s := t.Signature()
	return s == datatype.Any || s == datatype.Signature(datatype.Byte)
}

// independent checks an access of this rank alone, and moves its pointer. It returns what reads or writes.
func (f *File) independent(in call, a Access, offset int64, m Memory) (func() outcome, error) {
	f.mu.Lock()
	v := f.view
	f.mu.Unlock()
	if err := f.check(in, a, v, m); err != nil {
		return nil, err
	}
	s := newStream(m)
	etypes := s.size / v.unit
	var err error
	switch a.Pointer {
	case Individual:
		offset, err = f.advance(in, v, etypes)
	case Shared:
		if err = f.shareable(in); err == nil {
			offset, err = f.shared.add(etypes)
			err = f.failed(in, err)
		}
	}
	if err == nil {
		err = v.holds(in, offset, s.size)
	}
	if err != nil {
		return nil, err
	}
	return func() outcome {
		n, err := int64(0), s.encode(in, v.rep)
		if err == nil {
			n, err = f.transfer(a.Write, part{v, offset * v.unit, s})
		}
		return outcome{n, f.failed(in, err)}
	}, nil
}

// transfer is an access of this rank alone.
func (f *File) transfer(write bool, p part) (int64, error) {
	if write {
		return f.write(p)
	}
	n, err := f.read(p)
	if err == nil {
		err = p.stream.decode()
	}
	return n, err
}

// advance moves the individual pointer on, and returns where it was.
func (f *File) advance(in call, v *view, etypes int64) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.position
	if err := v.holds(in, at, etypes*v.unit); err != nil {
		return 0, err
	}
	f.position += etypes
	return at, nil
}

// together is a collective access, which runs when its turn comes. Individual pointers move at the call.
func (f *File) together(in call, a Access, offset int64, m Memory) func() outcome {
	f.mu.Lock()
	v := f.view
	f.mu.Unlock()
	err := f.check(in, a, v, m)
	s := &stream{}
	if err == nil {
		s = newStream(m)
		switch a.Pointer {
		case Individual:
			offset, err = f.advance(in, v, s.size/v.unit)
		case Shared:
			err = f.shareable(in)
		}
	}
	return func() outcome {
		if a.Pointer == Shared {
			offset, err = f.ordered(in, err, s.size/v.unit)
			if err != nil { // all ranks have it
				return outcome{err: err}
			}
		}
		if err == nil {
			err = v.holds(in, offset, s.size)
		}
		if err == nil {
			err = s.encode(in, v.rep)
		}
		n, err := f.accessAll(in, a.Write, part{v, offset * v.unit, s}, err)
		return outcome{n, err}
	}
}

// ordered moves the shared pointer on by the etypes of all ranks, and returns where those of this rank begin: after
// those of the lower ranks.
func (f *File) ordered(in call, before error, etypes int64) (int64, error) {
	told, err := agree(f.comm, in, before, etypes)
	if err != nil {
		return 0, err
	}
	start, total := int64(0), int64(0)
	for rank, t := range told {
		if rank == f.comm.Rank() {
			start = total
		}
		total += t.values[0]
	}
	at := int64(0)
	if f.comm.Rank() == 0 {
		at, err = f.shared.add(total)
	}
	told, err = agree(f.comm, in, f.failed(in, err), at)
	if err != nil {
		return 0, err
	}
	return told[0].values[0] + start, nil
}
