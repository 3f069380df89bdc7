// Package attribute keeps what programs attach to objects such as communicators: attribute caching (MPI 4.1, section 7.7).
//
// A Key says which attribute, and has functions of the program that copy and delete its values. They are called within
// Put, Delete, CopyTo and Clear only, by the goroutine that has called these, with no lock held.
package attribute

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Key names an attribute (a keyval). The same Key is used for any number of objects.
type Key struct {
	copy   Copy
	delete Delete
	freed  atomic.Bool
	uses   atomic.Int64 // values that there are, and one until Free
	gone   func()
}

// Copy is called for a value of an object that is duplicated. It returns the value that the duplicate gets, or that it gets
// none. Nil: it gets none.
type Copy func(object, value any) (duplicate any, keep bool, err error)

// Delete is called when a value is deleted or replaced, or when its object is freed. If it fails so does the call, and
// the value stays. Nil: nothing is to be done.
type Delete func(object, value any) error

// NewKey returns a key that no other is equal to.
func NewKey(c Copy, d Delete) *Key {
	k := &Key{copy: c, delete: d}
	k.uses.Store(1)
	return k
}

// Gone has f called when the key has been freed and its last value is deleted. Call it before others use the key.
func (k *Key) Gone(f func()) { k.gone = f }

// drop notes that a use of the key has ended.
func (k *Key) drop() {
	if k.uses.Add(-1) == 0 && k.gone != nil {
		k.gone()
	}
}

// Free ends the use of a key for new values. Those that there are stay, and are copied and deleted as before. It reports
// false if that has been done before.
func (k *Key) Free() bool {
	if k.freed.Swap(true) {
		return false
	}
	k.drop()
	return true
}

// Freed reports whether Free has been called.
func (k *Key) Freed() bool { return k.freed.Load() }

// Set is the attributes of an object. The zero Set is empty. Its methods may be called by several goroutines.
type Set struct {
	mu     sync.Mutex
	values []entry // in the order in which they were put
}

type entry struct {
	key      *Key
	value    any
	deleting bool // its function is at work
}

// Get returns the value of a key.
func (s *Set) Get(k *Key) (value any, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.find(k); i >= 0 {
		return s.values[i].value, true
	}
	return nil, false
}

// Put attaches a value. One that the key had before is deleted.
func (s *Set) Put(object any, k *Key, value any) error {
	if err := s.Delete(object, k); err != nil && !errors.Is(err, ErrNone) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k.uses.Add(1)
	s.values = append(s.values, entry{key: k, value: value})
	return nil
}

// ErrNone says that there is no value of a key.
var ErrNone = errors.New("the object has no such attribute")

// ErrDeleting says that the function that deletes a value has not returned. It is called once: it may itself delete the value, or free
// the object.
var ErrDeleting = errors.New("the function that deletes the attribute has not returned")

// Delete deletes the value of a key. Until its function has returned the value is still there.
func (s *Set) Delete(object any, k *Key) error {
	s.mu.Lock()
	i := s.find(k)
	switch {
	case i < 0:
		s.mu.Unlock()
		return ErrNone
	case s.values[i].deleting:
		s.mu.Unlock()
		return ErrDeleting
	}
	s.values[i].deleting = true
	value := s.values[i].value
	s.mu.Unlock()
	var err error
	if k.delete != nil {
		err = k.delete(object, value)
	}
	s.mu.Lock()
	i = s.find(k)
	if err != nil {
		s.values[i].deleting = false
		s.mu.Unlock()
		return err
	}
	s.values = slices.Delete(s.values, i, i+1)
	s.mu.Unlock()
	k.drop()
	return nil
}

// CopyTo gives another Set, of a duplicate of the object, what the keys say. If one of them fails, what the
// other Set has got so far stays in it.
func (s *Set) CopyTo(object any, to *Set) error {
	for _, e := range s.all() {
		if e.key.copy == nil {
			continue
		}
		value, keep, err := e.key.copy(object, e.value)
		if err != nil {
			return err
		}
		if keep {
			e.key.uses.Add(1)
			to.mu.Lock()
			to.values = append(to.values, entry{key: e.key, value: value})
			to.mu.Unlock()
		}
	}
	return nil
}

// Clear deletes all, the last one first, as the object is freed. It goes on after errors, and returns them joined.
func (s *Set) Clear(object any) error {
	var errs []error
	for _, e := range slices.Backward(s.all()) {
		if err := s.Delete(object, e.key); err != nil && !errors.Is(err, ErrNone) { // a function may delete other values
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *Set) all() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.values)
}

func (s *Set) find(k *Key) int {
	return slices.IndexFunc(s.values, func(e entry) bool { return e.key == k })
}
