// Package associations makes, keeps and ends the associations of a process with its peers, for the
// transports over SCTP. A Manager has the one-to-many socket and its driver. The transport above, its
// User, has the messages: which stream a message takes, and what becomes of one that arrives, is
// unknown here. Only stream 0 is used, for the handshake.
//
// # What it does
//
//   - It opens the socket: options.go and config.go have what can be set, and by which variables.
//   - It makes an association when the transport needs one, a few at a time, and again if one fails
//     for a reason that may pass: call.go, connect.go. If both ends make one, one of them is used.
//   - It authenticates the peer: authenticate.go, and package handshake. Any process that reaches the
//     port can make an association. Until both ends have proven that they know the job's token,
//     neither takes any other message. An association that breaks the rules, or sends nothing until
//     rpi.Config.ConnectTimeout, is aborted and counted. The number of unauthenticated associations
//     is bounded: one for each process of the job, and maxUnauthenticated more. Beyond that the
//     socket aborts one for each new one. Each may hold unauthenticatedBuffer bytes: see
//     socket.Authenticator. A process that is rejected, perhaps because of a flood of them, tries
//     again until ConnectTimeout.
//   - It looks up all peers when the socket refuses packets of unknown sources, as in a flood of them:
//     lookups.go. A peer's first packets are not refused then.
//   - It takes events from the socket when the driver says so, and hands the transport's on: receive.go.
//   - It says why a peer is gone: peer.go.
//   - It ends all associations, in order or at once: close.go.
//
// # What the transport does
//
// It makes the Manager by New, and starts it by Run when it can be called itself. It may embed the
// Manager, which has those methods of rpi.Transport that do not concern messages.
//
// When it has a message for a peer, or waits for one, it calls Need, each time or until the peer is
// open. When the peer is Open it calls Send. It stops at socket.ErrWouldBlock, and goes on at
// User.Writable. From User.Accepted on messages may come, and from User.Opened on it may send, on
// Control too. It checks what comes, and returns an error that wraps ErrViolation for what no correct
// peer sends. At User.Failed it ends all that needs the peer.
//
// # Concurrency
//
// Two locks serialise all. The progress token is held by the goroutine that takes events from the
// socket, and by whatever else decides about associations, such as timers. It is held while the
// socket is called, so that what is decided is done in order. The transport's lock, which comes after
// it, guards the state of transport and Manager. It is never held while the socket is called. What a
// change under the lock leaves to do is listed, as an action, and done while the lock is left. Then the
// lock does the work of the transport, when it is given up.
//
// Functions are called with the lock held. Those that are not say that no lock is, or are called from outside: New, Run, Send, Socket, and the
// methods of rpi.Transport and driver.Network.
//
// Peers fail only under the progress token. User.Data is called under it too, and so may release the
// lock while it copies: the memory stays valid. Kill waits for the token before it ends requests.
package associations
