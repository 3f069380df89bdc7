package rpi

import (
	"runtime/debug"
	"strings"
)

// module is that of the library. The C face is a module below it.
const module = "github.com/sctpmpi/sctpmpi"

// Version is the version of this library in the program that runs: a tag such as v1.2.3, or what Go makes of the commit between two
// tags. It is v0.0.0 where the program has been built without knowing, as tests are.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownVersion
	}
	return versionIn(info)
}

const unknownVersion = "v0.0.0"

func versionIn(info *debug.BuildInfo) string {
	version := ""
	if info.Main.Path == module || strings.HasPrefix(info.Main.Path, module+"/") {
		version = info.Main.Version
	} else {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				version = dependency.Version
				if dependency.Replace != nil {
					version = dependency.Replace.Version
				}
			}
		}
	}
	if !strings.HasPrefix(version, "v") { // such as (devel)
		return unknownVersion
	}
	return version
}
