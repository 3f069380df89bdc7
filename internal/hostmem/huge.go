package hostmem

import (
	"sync"
	"unsafe"
)

// huge is the memory that Huge has made, by where it begins.
var huge = struct {
	sync.Mutex
	all map[unsafe.Pointer]mapping
}{all: make(map[unsafe.Pointer]mapping)}

// Huge makes memory of size bytes, more than 0, of this process alone, all of them 0. It is of huge pages where the system has them. FreeHuge
// gives it back, not the garbage collector.
func Huge(size int) (unsafe.Pointer, error) {
	memory, whole, err := mapHuge(size)
	if err != nil {
		return nil, err
	}
	base := unsafe.Pointer(unsafe.SliceData(memory))
	huge.Lock()
	defer huge.Unlock()
	huge.all[base] = whole
	return base, nil
}

// FreeHuge gives memory back that begins there, and reports whether Huge has made it and it has not been given back.
func FreeHuge(base unsafe.Pointer) bool {
	huge.Lock()
	defer huge.Unlock()
	whole, ok := huge.all[base]
	if ok {
		delete(huge.all, base)
		unmapHuge(whole)
	}
	return ok
}
