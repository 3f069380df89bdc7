package rpi

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionIsThatOfTheModule(t *testing.T) {
	of := func(path, version string) debug.Module { return debug.Module{Path: path, Version: version} }
	user := of("example.com/program", "v9.0.0")
	library := of(module, "v1.2.3")
	replaced := debug.Module{Path: module, Version: "v1.2.3", Replace: &debug.Module{Path: "../sctpmpi"}}
	for _, test := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{Main: of(module, "v1.2.3")}, "v1.2.3"},
		{debug.BuildInfo{Main: of(module+"/mpi/cabi", "v0.0.0-20261127081408-b011a5412345+dirty"), Deps: []*debug.Module{{Path: module}}}, "v0.0.0-20261127081408-b011a5412345+dirty"},
		{debug.BuildInfo{Main: user, Deps: []*debug.Module{&user, &library}}, "v1.2.3"},
		{debug.BuildInfo{Main: user, Deps: []*debug.Module{&replaced}}, "v0.0.0"},
		{debug.BuildInfo{Main: of(module, "(devel)")}, "v0.0.0"},
		{debug.BuildInfo{Main: of(module+"extra", "v3.0.0")}, "v0.0.0"},
		{debug.BuildInfo{}, "v0.0.0"},
	} {
		assert.Equal(t, test.want, versionIn(&test.info))
	}
	assert.Regexp(t, `^v\d+\.\d+\.\d+`, Version())
}
