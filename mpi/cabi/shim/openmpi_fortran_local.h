/* Functions of Fortran that have other arguments than in C. */

void ompi_init_f(MPI_Fint *ierror) { *ierror = PMPI_Init(NULL, NULL); }
void ompi_init_thread_f(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror) { *ierror = PMPI_Init_thread(NULL, NULL, *required, provided); }
void ompi_pcontrol_f(MPI_Fint *level) { (void)PMPI_Pcontrol(*level); }
double ompi_wtime_f(void) { return PMPI_Wtime(); }
double ompi_wtick_f(void) { return PMPI_Wtick(); }
MPI_Aint ompi_aint_add_f(MPI_Aint *base, MPI_Aint *disp) { return PMPI_Aint_add(*base, *disp); }
MPI_Aint ompi_aint_diff_f(MPI_Aint *addr1, MPI_Aint *addr2) { return PMPI_Aint_diff(*addr1, *addr2); }
/* The compiler takes it for something that may change the buffer. */
void ompi_f_sync_reg_f(void *buf) { (void)buf; }
FORTRAN_NAMES(, , Init, init, INIT)
FORTRAN_NAMES(, , Init_thread, init_thread, INIT_THREAD)
FORTRAN_NAMES(, , Pcontrol, pcontrol, PCONTROL)
FORTRAN_NAMES(, , Wtime, wtime, WTIME)
FORTRAN_NAMES(, , Wtick, wtick, WTICK)
FORTRAN_NAMES(, , Aint_add, aint_add, AINT_ADD)
FORTRAN_NAMES(, , Aint_diff, aint_diff, AINT_DIFF)
FORTRAN_NAMES(, , F_sync_reg, f_sync_reg, F_SYNC_REG)

/* The modules have these for results of type C_PTR. */
#define FORTRAN_POINTER(Name, name, NAME)                  \
	FORTRAN_ALIAS(ompi_##name##_cptr_f, ompi_##name##_f)   \
	FORTRAN_NAMES(, , Name##_cptr, name##_cptr, NAME##_CPTR)
FORTRAN_POINTER(Alloc_mem, alloc_mem, ALLOC_MEM)
FORTRAN_POINTER(Win_allocate, win_allocate, WIN_ALLOCATE)
FORTRAN_POINTER(Win_allocate_shared, win_allocate_shared, WIN_ALLOCATE_SHARED)
FORTRAN_POINTER(Win_shared_query, win_shared_query, WIN_SHARED_QUERY)

/* Where the buffer was is not told: Fortran knows it. */
void ompi_buffer_detach_f(void *buffer, MPI_Fint *size, MPI_Fint *ierror) {
	(void)buffer;
	void *was;
	*ierror = PMPI_Buffer_detach(&was, size);
}
FORTRAN_NAMES(, , Buffer_detach, buffer_detach, BUFFER_DETACH)
void ompi_comm_detach_buffer_f(MPI_Fint *comm, void *buffer, MPI_Fint *size, MPI_Fint *ierror) {
	(void)buffer;
	void *was;
	*ierror = PMPI_Comm_detach_buffer(fortran_handle(OF_COMM, *comm), &was, size);
}
FORTRAN_NAMES(, , Comm_detach_buffer, comm_detach_buffer, COMM_DETACH_BUFFER)
void ompi_session_detach_buffer_f(MPI_Fint *session, void *buffer, MPI_Fint *size, MPI_Fint *ierror) {
	(void)buffer;
	void *was;
	*ierror = PMPI_Session_detach_buffer(fortran_handle(OF_SESSION, *session), &was, size);
}
FORTRAN_NAMES(, , Session_detach_buffer, session_detach_buffer, SESSION_DETACH_BUFFER)

void ompi_info_create_env_f(MPI_Fint *info, MPI_Fint *ierror) {
	MPI_Info made = NULL;
	*ierror = PMPI_Info_create_env(0, NULL, &made);
	if (made) *info = fortran_out(OF_INFO, made);
}
FORTRAN_NAMES(, , Info_create_env, info_create_env, INFO_CREATE_ENV)

void ompi_status_f2f08_f(MPI_Fint *f_status, MPI_F08_status *f08_status, MPI_Fint *ierror) { *ierror = PMPI_Status_f2f08(f_status, f08_status); }
void ompi_status_f082f_f(MPI_F08_status *f08_status, MPI_Fint *f_status, MPI_Fint *ierror) { *ierror = PMPI_Status_f082f(f08_status, f_status); }
FORTRAN_NAMES(, , Status_f2f08, status_f2f08, STATUS_F2F08)
FORTRAN_NAMES(, , Status_f082f, status_f082f, STATUS_F082F)

/* Lengths are without the 0 of C. */
void ompi_info_get_string_f(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag, MPI_Fint *ierror, int key_length, int value_length) {
	int n = *buflen > 0 ? *buflen + 1 : 0;
	char *key_ = text_in(key, key_length, true), *value_ = calloc((size_t)n + 1, 1);
	if (!value_) abort();
	*ierror = PMPI_Info_get_string(fortran_handle(OF_INFO, *info), key_, &n, value_, flag);
	if (!*ierror && *flag) {
		if (*buflen > 0) text_out(value_, value, value_length);
		*buflen = n - 1;
	}
	free(key_);
	free(value_);
}
FORTRAN_NAMES(, , Info_get_string, info_get_string, INFO_GET_STRING)

void ompi_session_get_nth_pset_f(MPI_Fint *session, MPI_Fint *info, MPI_Fint *number, MPI_Fint *pset_len, char *pset_name, MPI_Fint *ierror,
	int pset_name_length) {
	int n = *pset_len > 0 ? *pset_len + 1 : 0;
	char *name = calloc((size_t)n + 1, 1);
	if (!name) abort();
	*ierror = PMPI_Session_get_nth_pset(fortran_handle(OF_SESSION, *session), fortran_handle(OF_INFO, *info), *number, &n, name);
	if (!*ierror) {
		if (*pset_len > 0) text_out(name, pset_name, pset_name_length);
		*pset_len = n - 1;
	}
	free(name);
}
FORTRAN_NAMES(, , Session_get_nth_pset, session_get_nth_pset, SESSION_GET_NTH_PSET)

/* texts_in is an array of texts of which each is as long, step texts apart, up to an empty one. */
static char **texts_in(const char *texts, int length, int step) {
	size_t n = 0;
	char **list = NULL;
	for (bool last = false; !last; n++) {
		char **longer = realloc(list, (n + 1) * sizeof *list);
		if (!longer) abort();
		list = longer;
		list[n] = text_in(texts + n * (size_t)length * (size_t)step, length, false);
		last = !*list[n];
	}
	free(list[n - 1]);
	list[n - 1] = NULL;
	return list;
}
static void free_texts(char **list) {
	for (char **text = list; list && *text; text++) free(*text);
	free(list);
}

/* What describes the processes counts at the root only. */
static bool is_root(MPI_Comm comm, int root) {
	int rank = -1;
	return !PMPI_Comm_rank(comm, &rank) && rank == root;
}

void ompi_comm_spawn_f(char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm,
	MPI_Fint *array_of_errcodes, MPI_Fint *ierror, int command_length, int argv_length) {
	MPI_Comm on = fortran_handle(OF_COMM, *comm), made = NULL;
	char *name = text_in(command, command_length, false);
	char **arguments = argv == mpi_fortran_argv_null_ || !is_root(on, *root) ? MPI_ARGV_NULL : texts_in(argv, argv_length, 1);
	*ierror = PMPI_Comm_spawn(name, arguments, *maxprocs, fortran_handle(OF_INFO, *info), *root, on, &made,
		(void *)array_of_errcodes == mpi_fortran_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : array_of_errcodes);
	if (made) *intercomm = fortran_out(OF_COMM, made);
	free_texts(arguments);
	free(name);
}
FORTRAN_NAMES(, , Comm_spawn, comm_spawn, COMM_SPAWN)

void ompi_comm_spawn_multiple_f(MPI_Fint *count, char *array_of_commands, char *array_of_argv, MPI_Fint *array_of_maxprocs, MPI_Fint *array_of_info,
	MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *array_of_errcodes, MPI_Fint *ierror, int command_length, int argv_length) {
	MPI_Comm on = fortran_handle(OF_COMM, *comm), made = NULL;
	size_t n = is_root(on, *root) && *count > 0 ? (size_t)*count : 0;
	char **commands = calloc(n + 1, sizeof *commands), ***arguments = calloc(n + 1, sizeof *arguments);
	MPI_Info *infos = calloc(n + 1, sizeof *infos);
	if (!commands || !arguments || !infos) abort();
	bool none = array_of_argv == mpi_fortran_argvs_null_;
	for (size_t i = 0; i < n; i++) {
		commands[i] = text_in(array_of_commands + i * (size_t)command_length, command_length, false);
		if (!none) arguments[i] = texts_in(array_of_argv + i * (size_t)argv_length, argv_length, (int)n);
		infos[i] = fortran_handle(OF_INFO, array_of_info[i]);
	}
	*ierror = PMPI_Comm_spawn_multiple((int)n, commands, none ? MPI_ARGVS_NULL : arguments, array_of_maxprocs, infos, *root, on, &made,
		(void *)array_of_errcodes == mpi_fortran_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : array_of_errcodes);
	if (made) *intercomm = fortran_out(OF_COMM, made);
	for (size_t i = 0; i < n; i++) free_texts(arguments[i]);
	free_texts(commands);
	free(arguments);
	free(infos);
}
FORTRAN_NAMES(, , Comm_spawn_multiple, comm_spawn_multiple, COMM_SPAWN_MULTIPLE)

/* MPI_SIZEOF has a function for each type and number of dimensions. */
#define FORTRAN_SIZEOF(kind, bytes)                                                                        \
	void mpi_sizeof_##kind##_scalar_(void *x, MPI_Fint *size, MPI_Fint *ierror) {                          \
		(void)x;                                                                                           \
		*size = bytes;                                                                                     \
		*ierror = MPI_SUCCESS;                                                                             \
	}                                                                                                      \
	FORTRAN_ALIAS(pmpi_sizeof_##kind##_scalar_, mpi_sizeof_##kind##_scalar_)                               \
	FORTRAN_SIZEOF_ARRAYS(kind, 1) FORTRAN_SIZEOF_ARRAYS(kind, 2) FORTRAN_SIZEOF_ARRAYS(kind, 3)           \
	FORTRAN_SIZEOF_ARRAYS(kind, 4) FORTRAN_SIZEOF_ARRAYS(kind, 5) FORTRAN_SIZEOF_ARRAYS(kind, 6)           \
	FORTRAN_SIZEOF_ARRAYS(kind, 7) FORTRAN_SIZEOF_ARRAYS(kind, 8) FORTRAN_SIZEOF_ARRAYS(kind, 9)           \
	FORTRAN_SIZEOF_ARRAYS(kind, 10) FORTRAN_SIZEOF_ARRAYS(kind, 11) FORTRAN_SIZEOF_ARRAYS(kind, 12)        \
	FORTRAN_SIZEOF_ARRAYS(kind, 13) FORTRAN_SIZEOF_ARRAYS(kind, 14) FORTRAN_SIZEOF_ARRAYS(kind, 15)
#define FORTRAN_SIZEOF_ARRAYS(kind, rank)                                              \
	FORTRAN_ALIAS(mpi_sizeof_##kind##_r##rank##_, mpi_sizeof_##kind##_scalar_)         \
	FORTRAN_ALIAS(pmpi_sizeof_##kind##_r##rank##_, mpi_sizeof_##kind##_scalar_)
FORTRAN_SIZEOF(character, 1)
FORTRAN_SIZEOF(logical, 4)
FORTRAN_SIZEOF(int8, 1)
FORTRAN_SIZEOF(int16, 2)
FORTRAN_SIZEOF(int32, 4)
FORTRAN_SIZEOF(int64, 8)
FORTRAN_SIZEOF(real32, 4)
FORTRAN_SIZEOF(real64, 8)
FORTRAN_SIZEOF(real128, 16)
FORTRAN_SIZEOF(complex32, 8)
FORTRAN_SIZEOF(complex64, 16)
FORTRAN_SIZEOF(complex128, 32)
