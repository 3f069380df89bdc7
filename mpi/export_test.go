package mpi

import "time"

// SetSuspicious sets how long collective calls wait before they ask.
func SetSuspicious(d time.Duration) { suspicious = d }
