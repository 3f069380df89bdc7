/* What only the standard ABI has. */

int PMPI_Abi_get_version(int *abi_major, int *abi_minor) {
	NEED(abi_major && abi_minor, "MPI_Abi_get_version");
	*abi_major = MPI_ABI_VERSION;
	*abi_minor = MPI_ABI_SUBVERSION;
	return MPI_SUCCESS;
}
