// Package startup is what a process decides and asks before it is a member of its
// job: the settings of options and environment, its launcher, and the address that
// it is reached at (MPI 4.1, section 11.2).
package startup
