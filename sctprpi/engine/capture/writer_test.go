package capture_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
)

const (
	flushInterval = 200 * time.Millisecond
	chunkSize     = 256 << 10
	minBuffer     = 2 * chunkSize
)

// disk keeps what is written to it, while gate lets it: each write receives
// from gate first. A nil gate is open.
type disk struct {
	gate chan struct{}
	fail error // of all writes but the first, the header

	mu     sync.Mutex
	blocks [][]byte
}

func (d *disk) Write(b []byte) (int, error) {
	if len(d.writes()) > 0 {
		if d.gate != nil {
			<-d.gate
		}
		if d.fail != nil {
			return 0, d.fail
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.blocks = append(d.blocks, slices.Clone(b))
	return len(b), nil
}

// writes returns what each write so far wrote.
func (d *disk) writes() [][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.blocks)
}

// path returns the path of a file that holds what was written.
func (d *disk) path(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "run.pcapng")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	for _, b := range d.writes() {
		_, err := f.Write(b)
		require.NoError(t, err)
	}
	return path
}

// What a killed process leaves behind is at most flushInterval old.
func TestPacketsWaitForOthersOnlySoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d disk
		w, err := capture.New(&d, capture.Config{})
		require.NoError(t, err)
		time.Sleep(time.Minute)
		require.Len(t, d.writes(), 1, "the header, and then there was nothing to write")

		w.Packet(time.Now(), false, here4, there4, data(1, 1000))
		time.Sleep(flushInterval - 1)
		w.Packet(time.Now(), false, here4, there4, data(2, 1000))
		synctest.Wait()
		require.Len(t, d.writes(), 1)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Len(t, d.writes(), 2, "both packets at once")
		require.NoError(t, w.Close())
	})
}

func TestAFullChunkIsWrittenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d disk
		w, err := capture.New(&d, capture.Config{})
		require.NoError(t, err)
		for range 5 {
			w.Packet(time.Now(), false, here4, there4, data(1, 60_000))
		}
		synctest.Wait()
		require.Len(t, d.writes(), 2)
		assert.InDelta(t, chunkSize, len(d.writes()[1]), 60_000)
		require.NoError(t, w.Close())
	})
}

// Where the disk does not follow, the protocol does not wait: packets are lost,
// and the next one recorded says how many.
func TestPacketsThatTheDiskCannotTakeAreCounted(t *testing.T) {
	var d disk
	synctest.Test(t, func(t *testing.T) {
		d.gate = make(chan struct{})
		w, err := capture.New(&d, capture.Config{Buffer: minBuffer})
		require.NoError(t, err)
		for range 12 { // 4 fit into a chunk
			w.Packet(began, false, here4, there4, data(1, 60_000))
		}
		synctest.Wait()
		close(d.gate)
		synctest.Wait()
		w.Packet(began, false, here4, there4, data(2, 60_000))
		w.Packet(began, false, here4, there4, data(3, 60_000))
		require.NoError(t, w.Close())
	})
	path := d.path(t)
	require.Equal(t, 10, capturetest.Verify(t, path, port))
	lost := capturetest.Fields(t, path, port, "frame.drop_count")
	assert.Equal(t, []string{"4"}, lost[8])
	assert.Equal(t, []string{""}, lost[9])
	statistics := d.writes()[len(d.writes())-1]
	assert.Equal(t, []byte{14, 4}, []byte{statistics[24], statistics[36]}, "seen and lost")
}

// No header can say how long it is.
func TestAPacketTooLongForUDPIsLost(t *testing.T) {
	path := captured(t, capture.Config{}, func(w *capture.Writer) {
		w.Packet(began, false, here4, there4, make([]byte, 65_508))
		w.Packet(began, false, here6, there6, make([]byte, 65_528))
		w.Packet(began, false, here6, there6, data(1, 40))
	})
	assert.Equal(t, [][]string{{"2"}}, capturetest.Fields(t, path, port, "frame.drop_count"))
}

// The caller may use its buffers again at once.
func TestPacketsAreCopied(t *testing.T) {
	path := captured(t, capture.Config{}, func(w *capture.Writer) {
		b := data(1, 1000)
		w.Packet(began, false, here4, there4, b[:100], b[100:])
		clear(b)
	})
	assert.Equal(t, 1, capturetest.Verify(t, path, port))
}

func TestAnErrorEndsTheCaptureAndCloseReturnsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := disk{fail: errors.New("no space left")}
		w, err := capture.New(&d, capture.Config{Buffer: minBuffer})
		require.NoError(t, err)
		for range 100 {
			w.Packet(time.Now(), false, here4, there4, data(1, 60_000))
			synctest.Wait()
		}
		err = w.Close()
		assert.ErrorIs(t, err, d.fail)
		assert.ErrorContains(t, err, "capture: ")
		assert.Equal(t, err, w.Close(), "again")
		assert.Len(t, d.writes(), 1)
	})
}

func TestAnErrorAtTheStartIsReturnedAtOnce(t *testing.T) {
	_, err := capture.New(refusing{}, capture.Config{})
	assert.ErrorIs(t, err, errRefused)
	_, err = capture.Create(filepath.Join(t.TempDir(), "none", "run.pcapng"), capture.Config{})
	assert.ErrorIs(t, err, os.ErrNotExist)
}

var errRefused = errors.New("refused")

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errRefused }

func TestPacketsAfterCloseAreIgnored(t *testing.T) {
	var d disk
	w, err := capture.New(&d, capture.Config{})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	w.Packet(began, false, here4, there4, data(1, 1000))
	require.NoError(t, w.Close())
	assert.Len(t, d.writes(), 2, "header and statistics")
}

func TestWriterIsSafeForConcurrentUse(t *testing.T) {
	const senders, each = 8, 200
	path := captured(t, capture.Config{}, func(w *capture.Writer) {
		var all sync.WaitGroup
		for range senders {
			all.Go(func() {
				for range each {
					w.Packet(began, false, here6, there6, data(1, 1400))
				}
			})
		}
		all.Wait()
		// Closing while packets still come is no less safe.
		all.Go(func() { _ = w.Close() })
		all.Go(func() { w.Packet(began, true, here6, there6, data(1, 1400)) })
		all.Wait()
	})
	assert.GreaterOrEqual(t, capturetest.Verify(t, path, port), senders*each)
}

func TestConfigOutOfRangeIsRefused(t *testing.T) {
	for want, c := range map[string]capture.Config{
		"Config.Application has 1025 bytes": {Application: string(make([]byte, 1025))},
		"Config.MaxBytes is 1000":           {MaxBytes: 1000},
		"Config.MaxBytes is -1":             {MaxBytes: -1},
		"Config.Buffer is 4096":             {Buffer: 4096},
	} {
		_, err := capture.New(&disk{}, c)
		assert.ErrorContains(t, err, want)
		path := filepath.Join(t.TempDir(), "run.pcapng")
		_, err = capture.Create(path, c)
		assert.ErrorContains(t, err, want)
		assert.NoFileExists(t, path)
	}
}
