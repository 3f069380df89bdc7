//go:build unix

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The host of the tests runs jobs, and its doctor says so. All that it looks at is in cmd/internal/doctor.
func TestDoctorLooksAtThisHost(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "doctor")
	assert.Zero(t, status)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "good   loopback")
	assert.Contains(t, stdout, "Jobs run here")
}
