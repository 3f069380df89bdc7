package file

import "os"

// extend writes zeros behind the end of the file until it is so long, where the file system cannot reserve space.
func extend(f *os.File, size int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	zeros := make([]byte, chunk)
	for at := info.Size(); at < size; at += chunk {
		if _, err := f.WriteAt(zeros[:min(chunk, size-at)], at); err != nil {
			return err
		}
	}
	return nil
}
