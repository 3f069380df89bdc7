package file

// buffer returns n bytes, which hold anything. Give them back with recycle: a file keeps the largest buffer for the next call.
func (f *File) buffer(n int64) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if b := f.spare; int64(cap(b)) >= n {
		f.spare = nil
		return b[:n]
	}
	return make([]byte, n)
}

func (f *File) recycle(b []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if cap(b) > cap(f.spare) {
		f.spare = b[:cap(b)]
	}
}
