//go:build !linux

package hostmem

type mapping []byte

func mapHuge(size int) (memory []byte, whole mapping, err error) {
	memory = make([]byte, size)
	return memory, memory, nil
}

func unmapHuge(mapping) {}
