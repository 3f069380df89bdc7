// Package onecopy reads the memory of a peer, another process of this host, so that a long message is copied once: from the
// sender's buffer to the receiver's. It knows nothing of messages.
//
// The sender announces a buffer: an address and a length, which it keeps in place with [Pin]. The receiver reads it by
// [Reader.Read] (process_vm_readv), and says when it is done. Linux may forbid it, for reasons that one look does not tell
// apart: Yama, seccomp, another user or user namespace, a process that is not dumpable. So peers find it out once, before the
// first message: each has a [Beacon], which the other reads ([Reader.Probe]). Elsewhere all is ErrNotSupported.
//
// # Whose memory it is
//
// Process numbers are used again, and process_vm_readv takes a number. So a read counts only if the peer's pidfd says, after
// it, that the peer is alive: then the number has been the peer's all the time. A peer that replaces its program (execve)
// keeps its number, so a program must not do that while its memory is announced.
//
// A peer may write the memory while it is read, or announce an address that is not its own: the reader then gets an error or
// other bytes of the peer's, and never more than it has asked for.
//
// # Yama
//
// Where kernel.yama.ptrace_scope is 1, as in Ubuntu and Debian, a process may read only its descendants, and those that
// have called prctl(PR_SET_PTRACER). [AllowReaders] names the launcher: its descendants are the ranks of the host. With 2 and
// 3 reading needs CAP_SYS_PTRACE, or is forbidden.
package onecopy
