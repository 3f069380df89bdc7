/* Functions of the program that are in Fortran: the library calls them by one of these. */

static void fortran_op(void *fn, void *in, void *inout, int64_t count, uintptr_t datatype) {
	MPI_Fint n = (MPI_Fint)count, type = fortran_out(OF_TYPE, type_out(datatype));
	((void (*)(void *, void *, MPI_Fint *, MPI_Fint *))fn)(in, inout, &n, &type);
}
void ompi_op_create_f(void *user_fn, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror) {
	INSIDE("MPI_Op_create");
	uintptr_t made = 0;
	int code = sctpmpi_Op_create((void *)fortran_op, user_fn, *commute != 0, &made);
	if (!code) *op = fortran_out(OF_OP, op_out(made));
	*ierror = code ? failed(ON_NOTHING, 0, code, "MPI_Op_create") : MPI_SUCCESS;
}
FORTRAN_NAMES(, , Op_create, op_create, OP_CREATE)

#define FORTRAN_ERROR_HANDLER(kind, KIND, Kind, name, Name, NAME)                                                      \
	static void fortran_##kind##_error(void *fn, uintptr_t object, int code) {                                         \
		MPI_Fint handle = fortran_out(OF_##KIND, kind##_out(object)), c = code_out(code);                              \
		((void (*)(MPI_Fint *, MPI_Fint *))fn)(&handle, &c);                                                           \
	}                                                                                                                  \
	void ompi_##name##_f(void *fn, MPI_Fint *errhandler, MPI_Fint *ierror) {                                           \
		INSIDE("MPI_" #Name);                                                                                          \
		uintptr_t made = 0;                                                                                            \
		int code = sctpmpi_##Kind##_create_errhandler((void *)fortran_##kind##_error, fn, &made);                      \
		if (!code) *errhandler = fortran_out(OF_ERRHANDLER, errhandler_out(made));                                     \
		*ierror = code ? failed(ON_NOTHING, 0, code, "MPI_" #Name) : MPI_SUCCESS;                                      \
	}                                                                                                                  \
	FORTRAN_NAMES(, , Name, name, NAME)
FORTRAN_ERROR_HANDLER(comm, COMM, Comm, comm_create_errhandler, Comm_create_errhandler, COMM_CREATE_ERRHANDLER)
FORTRAN_ERROR_HANDLER(file, FILE, File, file_create_errhandler, File_create_errhandler, FILE_CREATE_ERRHANDLER)
FORTRAN_ERROR_HANDLER(session, SESSION, Session, session_create_errhandler, Session_create_errhandler, SESSION_CREATE_ERRHANDLER)
FORTRAN_ERROR_HANDLER(win, WIN, Win, win_create_errhandler, Win_create_errhandler, WIN_CREATE_ERRHANDLER)
FORTRAN_ALIAS(ompi_errhandler_create_f, ompi_comm_create_errhandler_f)
FORTRAN_NAMES(, , Errhandler_create, errhandler_create, ERRHANDLER_CREATE)

/* Attributes are integers: of an address's size, or as long as others in MPI 1. copy and delete have them by reference. */
#define FORTRAN_KEYVAL(kind, KIND, Kind, of, integer, name, Name, NAME)                                                                  \
	static int of##_copy(void *fn, uintptr_t from, int keyval, void *extra, void *in, void *out, int *flag) {                            \
		MPI_Fint handle = fortran_out(OF_##KIND, kind##_out(from)), k = keyval_out(keyval), code = 0;                                    \
		integer state = (integer)(intptr_t)extra, value = (integer)(intptr_t)number_of(in), copy = 0;                                    \
		*flag = 0;                                                                                                                       \
		((void (*)(MPI_Fint *, MPI_Fint *, integer *, integer *, integer *, int *, MPI_Fint *))fn)(&handle, &k, &state, &value, &copy,   \
			flag, &code);                                                                                                                \
		if (code || !*flag) return code_in(code);                                                                                        \
		*(void **)out = note(fortran.cells, (struct known){.number = copy});                                                             \
		return *(void **)out ? MPI_SUCCESS : SCTPMPI_ERR_NO_MEM;                                                                         \
	}                                                                                                                                    \
	static int of##_delete(void *fn, uintptr_t object, int keyval, void *v, void *extra) {                                               \
		MPI_Fint handle = fortran_out(OF_##KIND, kind##_out(object)), k = keyval_out(keyval), code = 0;                                  \
		integer state = (integer)(intptr_t)extra, value = (integer)(intptr_t)number_of(v);                                               \
		((void (*)(MPI_Fint *, MPI_Fint *, integer *, integer *, MPI_Fint *))fn)(&handle, &k, &value, &state, &code);                    \
		if (!code) forget(fortran.cells, (uintptr_t)v);                                                                                  \
		return code_in(code);                                                                                                            \
	}                                                                                                                                    \
	void ompi_##name##_f(void *copy_fn, void *delete_fn, MPI_Fint *keyval, integer *extra_state, MPI_Fint *ierror) {                     \
		INSIDE("MPI_" #Name);                                                                                                            \
		int k = 0;                                                                                                                       \
		int code = sctpmpi_##Kind##_create_keyval((void *)of##_copy, copy_fn, (void *)of##_delete, delete_fn, &k,                        \
			(void *)(intptr_t)*extra_state);                                                                                             \
		if (!code) *keyval = keyval_out(k);                                                                                              \
		*ierror = code ? failed(ON_NOTHING, 0, code, "MPI_" #Name) : MPI_SUCCESS;                                                        \
	}                                                                                                                                    \
	FORTRAN_NAMES(, , Name, name, NAME)
FORTRAN_KEYVAL(comm, COMM, Comm, fortran_comm, MPI_Aint, comm_create_keyval, Comm_create_keyval, COMM_CREATE_KEYVAL)
FORTRAN_KEYVAL(comm, COMM, Comm, fortran_77, MPI_Fint, keyval_create, Keyval_create, KEYVAL_CREATE)
FORTRAN_KEYVAL(type, TYPE, Type, fortran_type, MPI_Aint, type_create_keyval, Type_create_keyval, TYPE_CREATE_KEYVAL)
FORTRAN_KEYVAL(win, WIN, Win, fortran_win, MPI_Aint, win_create_keyval, Win_create_keyval, WIN_CREATE_KEYVAL)

/* The predefined functions of attributes. */
#define FORTRAN_PREDEFINED(integer, Name, name, NAME)                                                                                    \
	void ompi_##name##null_copy_fn_f(MPI_Fint *object, MPI_Fint *keyval, integer *extra, integer *in, integer *out, MPI_Fint *flag,      \
		MPI_Fint *ierror) {                                                                                                              \
		(void)object, (void)keyval, (void)extra, (void)in, (void)out;                                                                    \
		*flag = 0;                                                                                                                       \
		*ierror = MPI_SUCCESS;                                                                                                           \
	}                                                                                                                                    \
	FORTRAN_NAMES(, , Name##null_copy_fn, name##null_copy_fn, NAME##NULL_COPY_FN)                                                        \
	void ompi_##name##dup_fn_f(MPI_Fint *object, MPI_Fint *keyval, integer *extra, integer *in, integer *out, MPI_Fint *flag,            \
		MPI_Fint *ierror) {                                                                                                              \
		(void)object, (void)keyval, (void)extra;                                                                                         \
		*out = *in;                                                                                                                      \
		*flag = 1;                                                                                                                       \
		*ierror = MPI_SUCCESS;                                                                                                           \
	}                                                                                                                                    \
	FORTRAN_NAMES(, , Name##dup_fn, name##dup_fn, NAME##DUP_FN)                                                                          \
	void ompi_##name##null_delete_fn_f(MPI_Fint *object, MPI_Fint *keyval, integer *value, integer *extra, MPI_Fint *ierror) {           \
		(void)object, (void)keyval, (void)value, (void)extra;                                                                            \
		*ierror = MPI_SUCCESS;                                                                                                           \
	}                                                                                                                                    \
	FORTRAN_NAMES(, , Name##null_delete_fn, name##null_delete_fn, NAME##NULL_DELETE_FN)
FORTRAN_PREDEFINED(MPI_Fint, , , )
FORTRAN_PREDEFINED(MPI_Aint, Comm_, comm_, COMM_)
FORTRAN_PREDEFINED(MPI_Aint, Type_, type_, TYPE_)
FORTRAN_PREDEFINED(MPI_Aint, Win_, win_, WIN_)

/* fortran_value is an attribute as Fortran sees it. */
static MPI_Aint fortran_value(int keyval, void *value) {
	if (keyval == MPI_WIN_SIZE) return *(MPI_Aint *)value;
	if (keyval == MPI_WIN_BASE) return (MPI_Aint)value;
	return keyval >= MPI_TAG_UB && keyval <= MPI_WIN_MODEL ? *(int *)value : (MPI_Aint)number_of(value);
}
#define FORTRAN_ATTRIBUTE(Kind, KIND, type, integer, set, Set, SET, get, Get, GET)                              \
	void ompi_##set##_f(MPI_Fint *object, MPI_Fint *keyval, integer *value, MPI_Fint *ierror) {                 \
		void *cell = note(fortran.cells, (struct known){.number = *value});                                     \
		if (!cell) {                                                                                            \
			*ierror = failed(ON_NOTHING, 0, SCTPMPI_ERR_NO_MEM, "MPI_" #Set);                                   \
			return;                                                                                             \
		}                                                                                                       \
		*ierror = PMPI_##Kind##_set_attr(fortran_handle(OF_##KIND, *object), *keyval, cell);                    \
		if (*ierror) forget(fortran.cells, (uintptr_t)cell);                                                    \
	}                                                                                                           \
	FORTRAN_NAMES(, , Set, set, SET)                                                                            \
	void ompi_##get##_f(MPI_Fint *object, MPI_Fint *keyval, integer *value, MPI_Fint *flag, MPI_Fint *ierror) { \
		void *v = NULL;                                                                                         \
		*ierror = PMPI_##Kind##_get_attr(fortran_handle(OF_##KIND, *object), *keyval, &v, flag);                \
		if (!*ierror && *flag) *value = (integer)fortran_value(*keyval, v);                                     \
	}                                                                                                           \
	FORTRAN_NAMES(, , Get, get, GET)
FORTRAN_ATTRIBUTE(Comm, COMM, MPI_Comm, MPI_Aint, comm_set_attr, Comm_set_attr, COMM_SET_ATTR, comm_get_attr, Comm_get_attr, COMM_GET_ATTR)
FORTRAN_ATTRIBUTE(Comm, COMM, MPI_Comm, MPI_Fint, attr_put, Attr_put, ATTR_PUT, attr_get, Attr_get, ATTR_GET)
FORTRAN_ATTRIBUTE(Type, TYPE, MPI_Datatype, MPI_Aint, type_set_attr, Type_set_attr, TYPE_SET_ATTR, type_get_attr, Type_get_attr, TYPE_GET_ATTR)
FORTRAN_ATTRIBUTE(Win, WIN, MPI_Win, MPI_Aint, win_set_attr, Win_set_attr, WIN_SET_ATTR, win_get_attr, Win_get_attr, WIN_GET_ATTR)

/* The functions of a generalized request have its state by reference: it is the program's variable, as in other libraries. */
static int fortran_query(void *fn, void *extra, sctpmpi_status *status) {
	MPI_Status s = {.MPI_SOURCE = MPI_UNDEFINED, .MPI_TAG = MPI_UNDEFINED};
	MPI_Fint code = 0;
	int error = status->error;
	((void (*)(void *, MPI_Status *, MPI_Fint *))fn)(extra, &s, &code);
	*status = status_in(&s);
	status->error = error;
	return code_in(code);
}
static int fortran_free(void *fn, void *extra) {
	MPI_Fint code = 0;
	((void (*)(void *, MPI_Fint *))fn)(extra, &code);
	return code_in(code);
}
static int fortran_cancel(void *fn, void *extra, int complete) {
	MPI_Fint code = 0;
	((void (*)(void *, int *, MPI_Fint *))fn)(extra, &complete, &code);
	return code_in(code);
}
void ompi_grequest_start_f(void *query_fn, void *free_fn, void *cancel_fn, MPI_Aint *extra_state, MPI_Fint *request, MPI_Fint *ierror) {
	INSIDE("MPI_Grequest_start");
	uintptr_t made = 0;
	int code = sctpmpi_Grequest_start((void *)fortran_query, query_fn, (void *)fortran_free, free_fn, (void *)fortran_cancel, cancel_fn,
		extra_state, &made);
	if (!code) *request = fortran_out(OF_REQUEST, request_out(made));
	*ierror = code ? failed(ON_NOTHING, 0, code, "MPI_Grequest_start") : MPI_SUCCESS;
}
FORTRAN_NAMES(, , Grequest_start, grequest_start, GREQUEST_START)

/* There are no data representations but the predefined ones. */
void ompi_conversion_fn_null_f(void) {}
FORTRAN_NAMES(, , Conversion_fn_null, conversion_fn_null, CONVERSION_FN_NULL)
void ompi_register_datarep_f(char *datarep, void *read_conversion_fn, void *write_conversion_fn, void *dtype_file_extent_fn, MPI_Aint *extra_state,
	MPI_Fint *ierror, int length) {
	(void)datarep, (void)read_conversion_fn, (void)write_conversion_fn, (void)dtype_file_extent_fn, (void)extra_state, (void)length;
	*ierror = unsupported(ON_NOTHING, 0, "MPI_Register_datarep");
}
FORTRAN_NAMES(, , Register_datarep, register_datarep, REGISTER_DATAREP)
