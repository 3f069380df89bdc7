// Package combine has the predefined operations of reductions (MPI 4.1, section 6.9.2): what each does with two vectors, for
// which types there is one, and whether its result depends on the grouping. Nothing here sends.
package combine
