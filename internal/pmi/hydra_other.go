//go:build !unix

package pmi

// watchHydra does nothing: Hydra tells of deaths by a signal that this system does not have.
func (c *Client) watchHydra(func(what string)) {}
