//go:build !race

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The hits, all 320 with their scores and ends, are those of the library
// parasail 2.6.
func TestFullSearchOfTheDataInTheProgram(t *testing.T) {
	o := taskfarm(t, 3, "search")
	assert.Zero(t, o.status)
	assert.Contains(t, o.stderr, "checksum  fcab67a026429c16\n")
}
