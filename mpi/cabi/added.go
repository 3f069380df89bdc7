package main

import "sync"

// added are the error classes, codes and texts of the program (MPI 4.1, section 9.5). Their numbers follow lastCode.
type added struct {
	mu    sync.Mutex
	codes []addition // by number
}

type addition struct {
	class   class // itself if it is a class
	text    string
	removed bool
}

var additions added

// maxAdded bounds what a program can add.
const maxAdded = 1 << 16

// add adds a code of a class, or a class if that is 0, and returns its number.
func (a *added) add(c class) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.codes) == maxAdded {
		return 0, faultf(errOther, "the program has added %d error classes and codes, which is the limit", maxAdded)
	}
	number := lastCode + 1 + len(a.codes)
	if c == 0 {
		c = class(number)
	} else if int(c) > lastCode {
		if of := a.find(int(c)); of == nil || of.class != c {
			return 0, faultf(errArg, "%d is no error class", int(c))
		}
	} else if c > lastClass && !c.ofFailures() {
		return 0, faultf(errArg, "%d is no error class", int(c))
	}
	a.codes = append(a.codes, addition{class: c})
	return number, nil
}

// find is an addition that has not been removed, nil if there is none. mu is held.
func (a *added) find(code int) *addition {
	if i := code - lastCode - 1; i >= 0 && i < len(a.codes) && !a.codes[i].removed {
		return &a.codes[i]
	}
	return nil
}

// remove removes a class, or a code that is none.
func (a *added) remove(code int, isClass bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.find(code)
	if of == nil || (of.class == class(code)) != isClass {
		return faultf(errArg, "%d is not what the program has added", code)
	}
	if isClass {
		for i := range a.codes {
			if c := &a.codes[i]; !c.removed && c.class == of.class && c != of {
				return faultf(errOther, "the error class %d has the code %d, which must be removed before", code, lastCode+1+i)
			}
		}
	}
	*of = addition{removed: true}
	for n := len(a.codes); n > 0 && a.codes[n-1].removed; n-- {
		a.codes = a.codes[:n-1]
	}
	return nil
}

// describe sets the text of a code.
func (a *added) describe(code int, text string) error {
	if len(text) > maxText {
		return faultf(errArg, "a text of %d bytes; the limit is %d", len(text), maxText)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.find(code)
	if of == nil {
		return faultf(errArg, "%d is not what the program has added", code)
	}
	of.text = text
	return nil
}

func (a *added) classOf(code int) (class, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if of := a.find(code); of != nil {
		return of.class, true
	}
	return 0, false
}

func (a *added) text(code int) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if of := a.find(code); of != nil {
		return of.text, true
	}
	return "", false
}

// lastUsed is the largest code there is (MPI_LASTUSEDCODE).
func (a *added) lastUsed() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return lastCode + len(a.codes)
}
