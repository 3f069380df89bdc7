package socket

// Authenticator is implemented by a Socket with Config.MaxUnauthenticated or
// Config.UnauthenticatedBuffer. Any process that reaches the port can make an association. The
// socket holds little for it until the user has authenticated the peer.
type Authenticator interface {
	// Authenticated says that the user knows the peer of an association that is up. It
	// is not aborted any more for others, and gets the whole ReceiveBuffer, which the
	// peer is told at once. When the peer restarts the association the buffer is the
	// small one again.
	Authenticated(id AssocID) error
}
