package job

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// mpirun status calls a job as its user calls the first program, and one that another program has started by that program's file.
func TestTheNameOfAJob(t *testing.T) {
	for _, test := range []struct {
		app  App
		want string
	}{
		{App{Name: "./farm", Path: "/home/a/build/farm-v2"}, "farm"},
		{App{Path: "/usr/bin/mpibench"}, "mpibench"},
	} {
		j := &job{spec: Spec{Apps: []App{test.app}}}
		assert.Equal(t, test.want, j.title().Name)
	}
}
