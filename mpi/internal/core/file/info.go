package file

import (
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The hints, by the names of the standard (section 14.2.8) and of ROMIO. Others are ignored, as the standard demands.
const (
	hintCollective  = "collective_buffering" // "true": always in two phases; "false": never
	hintBuffer      = "cb_buffer_size"       // bytes of the file that an aggregator has in memory
	hintAggregators = "cb_nodes"             // how many ranks are aggregators
	hintPermissions = "file_perm"            // of a file that is created, an octal number
	hintSieveRead   = "ind_rd_buffer_size"   // bytes that an independent access reads at once
	hintSieveWrite  = "romio_ds_write"       // "enable": independent writes may write what is between pieces too
)

// hints are what the hints of a file say.
type hints struct {
	always, never bool // in two phases; neither: where it is faster
	buffer        int64
	aggregators   int
	permissions   uint32
	sieve         int64
	sieveWrites   bool
}

var defaultHints = hints{buffer: 4 << 20, aggregators: 8, permissions: 0o666, sieve: 512 << 10}

// The bounds of buffers, in bytes.
const (
	leastBuffer = 4 << 10
	mostBuffer  = 1 << 30
)

// set takes the hints that info has. Values that are wrong are an error; the standard lets us ignore them, but that would help
// no program.
func (h *hints) set(op string, info map[string]string) error {
	for key, value := range info {
		var ok bool
		switch key {
		case hintCollective:
			ok = value == "true" || value == "false" || value == "automatic"
			h.always, h.never = value == "true", value == "false"
		case hintBuffer:
			h.buffer, ok = size(value)
		case hintSieveRead:
			h.sieve, ok = size(value)
		case hintAggregators:
			n, err := strconv.Atoi(value)
			h.aggregators, ok = n, err == nil && n > 0
		case hintPermissions:
			n, err := strconv.ParseUint(value, 8, 9)
			h.permissions, ok = uint32(n), err == nil
		case hintSieveWrite:
			ok = value == "enable" || value == "disable" || value == "automatic"
			h.sieveWrites = value == "enable"
		default:
			ok = true
		}
		if !ok {
			return mpierr.Invalid(op, rpi.ErrInfoValue, "the hint %s is %q", key, value)
		}
	}
	return nil
}

func size(value string) (int64, bool) {
	n, err := strconv.ParseInt(value, 10, 64)
	return n, err == nil && n >= leastBuffer && n <= mostBuffer
}

// info are the hints that are in use.
func (h *hints) info() map[string]string {
	collective, sieving := "automatic", "disable"
	if h.always {
		collective = "true"
	} else if h.never {
		collective = "false"
	}
	if h.sieveWrites {
		sieving = "enable"
	}
	return map[string]string{
		hintCollective: collective, hintBuffer: strconv.FormatInt(h.buffer, 10), hintAggregators: strconv.Itoa(h.aggregators),
		hintPermissions: strconv.FormatUint(uint64(h.permissions), 8), hintSieveRead: strconv.FormatInt(h.sieve, 10),
		hintSieveWrite: sieving,
	}
}

// numbers are the hints on which ranks must agree.
func (h *hints) numbers() (buffer, aggregators, flags int64) {
	if h.always {
		flags |= 1
	}
	if h.never {
		flags |= 2
	}
	if h.sieveWrites {
		flags |= 4
	}
	return h.buffer, int64(h.aggregators), flags
}

// agreed are the hints with those of info, which must be the same on all ranks where they matter to all.
func (h hints) agreed(comm Comm, in call, info map[string]string) (hints, error) {
	err := h.set(in.op(), info)
	buffer, aggregators, flags := h.numbers()
	told, err := agree(comm, in, err, buffer, aggregators, flags)
	for i, what := range []string{hintBuffer, hintAggregators, "ways to access the file"} {
		if err == nil {
			err = same(in, told, comm.Rank(), i, what, rpi.ErrNotSame)
		}
	}
	return h, err
}
