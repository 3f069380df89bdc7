package sight

import "os"

// owner: files have none here, so no folder is private and no job can be looked at.
func owner(os.FileInfo) int { return -2 }

func stale(int, error) bool { return false }
