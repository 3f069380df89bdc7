package pmi

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// TokenKey is the key of the job's token, in hexadecimal, from which the secrets between ranks follow. A launcher may have the value
// in its key-value space from the beginning; under others rank 0 puts it there.
const TokenKey = "sctpmpi-token"

// Limits of the key-value space, those of Hydra. They count a terminating NUL that C clients want room for.
const (
	maxNameLength  = 256
	maxKeyLength   = 64
	maxValueLength = 1024
	// maxKeys bounds the keys that one rank may add. C libraries need one or two, and a few more for each rank that
	// shares memory with it.
	maxKeys = 256
)

// store is the key-value space of a job. It is not safe for concurrent use.
type store struct {
	values map[string]string
	added  []int // by rank: keys that it was the first to put
}

func newStore(config Config) store {
	s := store{values: make(map[string]string), added: make([]int, config.Size)}
	maps.Copy(s.values, config.Values)
	hosts := config.Hosts
	if hosts == nil {
		hosts = make([]int, config.Size)
	}
	if mapping := processMapping(hosts); len(mapping) < maxValueLength {
		s.values["PMI_process_mapping"] = mapping
	}
	return s
}

// put enters or replaces a value. A value is seen at once, which is sooner than a client may count on.
func (s *store) put(rank int, key, value string) error {
	switch {
	case key == "":
		return errors.New("key is empty")
	case len(key) >= maxKeyLength:
		return fmt.Errorf("key has %d bytes, at most %d are allowed", len(key), maxKeyLength-1)
	case len(value) >= maxValueLength:
		return fmt.Errorf("value has %d bytes, at most %d are allowed", len(value), maxValueLength-1)
	case strings.HasPrefix(key, "PMI_"):
		return fmt.Errorf("key %s: the prefix PMI_ is reserved", key)
	}
	if _, exists := s.values[key]; !exists {
		if s.added[rank] == maxKeys {
			return fmt.Errorf("rank %d has put %d keys already", rank, maxKeys)
		}
		s.added[rank]++
	}
	s.values[key] = value
	return nil
}
