package trace

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// slack is how much longer than MaxSize the file of a rank may be: its last events.
const slack = 128 << 10

// Save makes the file of a rank of what comes from another host; nothing makes no file. What exceeds the longest file of a
// rank is dropped.
func Save(name string, rank int, from io.Reader) (err error) {
	in := bufio.NewReaderSize(from, 64<<10)
	defer func() { _, _ = io.Copy(io.Discard, in) }() // so that what follows from there can come
	if _, err := in.Peek(1); err != nil {
		return nil
	}
	file, err := createPart(name, rank)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, io.LimitReader(in, MaxSize+slack))
	return errors.Join(err, file.Close())
}

// Join makes one file of those of all ranks, and removes them. ahead is how far the clock of a rank's host is ahead of the one that
// the times of the file are to have. Missing are the ranks that have none.
func Join(name string, ranks int, ahead func(rank int) time.Duration) (missing []int, err error) {
	out, err := CreateWhole(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	between := "[\n"
	for rank := range ranks {
		part, err := openPart(name, rank)
		if errors.Is(err, os.ErrNotExist) {
			missing = append(missing, rank)
			continue
		}
		if err == nil {
			between, err = appendEvents(out, part, between, ahead(rank))
		}
		if err != nil {
			return missing, err
		}
		if err := os.Remove(FileOf(name, rank)); err != nil {
			return missing, err
		}
	}
	_, err = io.WriteString(out, strings.TrimSuffix(between, comma)+"]\n")
	return missing, err
}

// comma is between two events.
const comma = ",\n"

// appendEvents copies the whole lines of a part: of a rank that was killed the last one may be cut. It writes between before the first
// one, and returns what is to be written before the next.
func appendEvents(out io.Writer, part *os.File, between string, ahead time.Duration) (string, error) {
	defer part.Close()
	in := bufio.NewReaderSize(part, 64<<10)
	to := bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF || errors.Is(err, bufio.ErrBufferFull) { // the latter is no event
			return between, to.Flush()
		}
		if err != nil {
			return between, err
		}
		line = bytes.TrimSuffix(line, []byte(comma))
		if ahead != 0 {
			line = earlier(line, ahead)
		}
		_, _ = to.WriteString(between)
		if _, err := to.Write(line); err != nil {
			return between, err
		}
		between = comma
	}
}

// earlier moves an event back in time. One without a time stays as it is.
func earlier(line []byte, by time.Duration) []byte {
	const key = `,"ts":`
	before, rest, found := bytes.Cut(line, []byte(key)) // quotes in texts have a backslash before them
	microseconds, after, _ := bytes.Cut(rest, []byte(","))
	at, err := strconv.ParseInt(strings.Replace(string(microseconds), ".", "", 1), 10, 64)
	if !found || err != nil {
		return line
	}
	moved := appendTime(append(bytes.Clone(before), key...), at-int64(by))
	return append(append(moved, ','), after...)
}
