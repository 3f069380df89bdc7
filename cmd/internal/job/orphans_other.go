//go:build unix && !linux

package job

import "time"

func adoptOrphans() {}

func (j *job) reapOrphans() {}

func killOrphans(time.Duration) {}
