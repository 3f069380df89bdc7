package farm

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Checkpoint is a file in which the manager keeps what it has collected, so that a job goes on from it after any end: Run reads it if
// it is there, and deals only the tasks that are not done. It is replaced as a whole, so that a reader finds the old one or
// the new one; links are not followed. Run leaves it when all is done: the program removes it when its results are safe.
type Checkpoint struct {
	// File is its name. It is written with another name first, in the same folder, which begins with a dot. What a manager that was
	// killed meanwhile has left by such a name is removed at the start.
	File string
	// Job says what the job is, with all that its results depend on. A file of another job is refused.
	Job string
	// State is what Collect has made of the results. It is marshalled between results, and unmarshalled before the first.
	State State
	// Every and Results are after which time, or how many results, it is written, whichever comes first; 0 is never, and both 0 is a
	// minute. It is written while the farm goes on, and at the end.
	Every   time.Duration
	Results int
}

// State can be kept in a file.
type State interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// keeper writes checkpoints.
type keeper struct {
	Checkpoint
	total   int
	since   int // results since the last one that has begun
	begun   time.Time
	writing chan error // has the outcome of the write that is under way; nil if none is
}

// openCheckpoint restores what the file has, if it is there, and else makes one, so that it is known that it can be written.
func openCheckpoint(c Checkpoint, total int, done *set) (*keeper, error) {
	if c.Every <= 0 && c.Results <= 0 {
		c.Every = time.Minute
	}
	k := &keeper{Checkpoint: c, total: total}
	if c.State == nil {
		return nil, errors.New("there is no State to keep")
	}
	removeTemporary(c.File)
	content, err := read(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return k, k.close(done)
	}
	if err == nil {
		err = k.restore(content, done)
	}
	k.begun = time.Now()
	return k, err
}

// read reads a file that is one.
func read(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(reason(err), errors.New("it is no regular file"))
	}
	return io.ReadAll(f)
}

// reason is an error without the name of the file.
func reason(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// A file is the mark, the job, the number of tasks, those that are done, the state, and a checksum of all that.
const mark = "sctpmpi farm checkpoint 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// content is what a file has now.
func (k *keeper) content(done *set) ([]byte, error) {
	state, err := k.State.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("the state: %w", err)
	}
	b := appendBytes([]byte(mark), []byte(k.Job))
	b = done.append(binary.AppendUvarint(b, uint64(k.total)))
	b = appendBytes(b, state)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// restore is the inverse of content.
func (k *keeper) restore(b []byte, done *set) error {
	b, found := bytes.CutPrefix(b, []byte(mark))
	if !found {
		return errors.New("the file is no checkpoint of a farm")
	}
	if len(b) < 4 || crc32.Update(crc32.Checksum([]byte(mark), castagnoli), castagnoli, b[:len(b)-4]) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return errDamaged
	}
	job, b, err := takeBytes(b[:len(b)-4])
	if err != nil {
		return err
	}
	if string(job) != k.Job {
		return fmt.Errorf("the file is of the job %q, not of %q: remove it, or name another", job, k.Job)
	}
	total, n := binary.Uvarint(b)
	if n <= 0 {
		return errDamaged
	}
	if total != uint64(k.total) {
		return fmt.Errorf("the file is of %d tasks, not of %d: remove it, or name another", total, k.total)
	}
	restored, b, err := parseSet(b[n:], k.total)
	if err != nil {
		return err
	}
	state, _, err := takeBytes(b)
	if err != nil {
		return err
	}
	if err := k.State.UnmarshalBinary(state); err != nil {
		return fmt.Errorf("the state: %w", err)
	}
	*done = restored
	return nil
}

func appendBytes(b, more []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(more))), more...)
}

func takeBytes(b []byte) (taken, rest []byte, err error) {
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return nil, nil, errDamaged
	}
	b = b[n:]
	return b[:length], b[length:], nil
}

// collected begins a write if it is time. That an earlier one has failed does not end the farm: the next may not.
func (k *keeper) collected(done *set) error {
	k.since++
	if !(k.Results > 0 && k.since >= k.Results || k.Every > 0 && time.Since(k.begun) >= k.Every) {
		return nil
	}
	if k.writing != nil {
		select {
		case <-k.writing:
			k.writing = nil
		default:
			return nil // when that is done
		}
	}
	return k.begin(done)
}

// begin begins a write. The error is that of the state.
func (k *keeper) begin(done *set) error {
	content, err := k.content(done)
	if err != nil {
		return err
	}
	k.since, k.begun, k.writing = 0, time.Now(), make(chan error, 1)
	go func(to chan<- error) { to <- replace(k.File, content) }(k.writing)
	return nil
}

// close writes the last checkpoint, and returns its error.
func (k *keeper) close(done *set) error {
	if k.writing != nil {
		<-k.writing
	}
	if err := k.begin(done); err != nil {
		return err
	}
	err := <-k.writing
	k.writing = nil
	return err
}

// temporary is how the names begin that a file is written with first. Digits follow.
func temporary(name string) string { return "." + filepath.Base(name) + "." }

// removeTemporary removes what was being written when a manager was killed. That a file cannot be removed is no reason not to go on.
func removeTemporary(name string) {
	entries, _ := os.ReadDir(filepath.Dir(name))
	for _, e := range entries {
		random, is := strings.CutPrefix(e.Name(), temporary(name))
		if is && e.Type().IsRegular() && random != "" && strings.Trim(random, "0123456789") == "" {
			_ = os.Remove(filepath.Join(filepath.Dir(name), e.Name()))
		}
	}
}

// replace replaces a file by one that is on the disk as a whole before it gets the name.
func replace(name string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), temporary(name)+"*")
	if err != nil {
		return reason(err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
