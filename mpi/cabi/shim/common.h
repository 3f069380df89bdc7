/* What the shims of all ABIs have before the functions. */
#include <string.h>
#include <time.h>

_Static_assert(sizeof(void *) == 8 && sizeof(MPI_Count) == 8, "the C library is for 64 bits");

/* The kinds of objects with error handlers, as package handle numbers them. */
enum { ON_NOTHING = 0, ON_COMM = 1, ON_WIN = 9, ON_FILE = 10, ON_SESSION = 11 };
/* Added to a kind: the handler of this object is to be called, wherever the code is from. */
enum { ON_THIS = 256 };

/* Classes that the shims use themselves. */
enum { SCTPMPI_ERR_ARG = 13, SCTPMPI_ERR_NO_MEM = 39, SCTPMPI_T_NOT_SUPPORTED = 1004 };

__attribute__((constructor)) static void guard(void) { sctpmpi_guard((const void *)(uintptr_t)guard); }

/* This thread may enter Go. */
#define ENTER() \
	if (__builtin_expect(!sctpmpi_entered, 0)) sctpmpi_enter()

/* From here on to its end the function is the one that this thread is in. Functions of the program may call others meanwhile. */
#define INSIDE(function)                                                              \
	__attribute__((cleanup(outside))) const char *caller = sctpmpi_function;          \
	sctpmpi_function = function;                                                      \
	ENTER()
static inline void outside(const char **caller) { sctpmpi_function = *caller; }

typedef void handler_function(void *fn, uintptr_t object, int code);

/* failed does what the object's error handler says. The program's function is called here, after Go has returned, so that it may
   leave by longjmp or an exception. */
__attribute__((cold, noinline)) static int failed(int kind, uintptr_t object, int code, const char *function) {
	sctpmpi_handler call = {0};
	ENTER();
	if (sctpmpi_fail(kind, object, code, (char *)function, &call) && call.invoke) {
		handler_function *invoke;
		*(void **)&invoke = call.invoke;
		invoke(call.fn, call.handle, code);
	}
	return code_out(code);
}

__attribute__((cold, noinline, unused)) static int unsupported(int kind, uintptr_t object, const char *function) {
	ENTER();
	return failed(kind, object, sctpmpi_unsupported((char *)function), function);
}

/* narrow is a count in an int of the program. */
static inline int narrow(int64_t n) { return n > INT32_MAX || n < INT32_MIN ? MPI_UNDEFINED : (int)n; }

/* Functions of the program are called by one of these, which have canonical arguments. Predefined functions, which are 0 or 1,
   are not called. */
#define PREDEFINED(fn) ((uintptr_t)(fn) <= 1)
#define CALL(invoke, fn) (PREDEFINED(FUNCTION(fn)) ? NULL : (void *)(uintptr_t)(invoke))
#ifndef FUNCTION
#define FUNCTION(fn) ((void *)(uintptr_t)(fn))
#endif

static inline void invoke_op(void *fn, void *in, void *inout, int64_t count, uintptr_t datatype) {
	MPI_Datatype t = type_out(datatype);
	int n = (int)count;
	((MPI_User_function *)(uintptr_t)fn)(in, inout, &n, &t);
}
static inline void invoke_op_c(void *fn, void *in, void *inout, int64_t count, uintptr_t datatype) {
	MPI_Datatype t = type_out(datatype);
	MPI_Count n = count;
	((MPI_User_function_c *)(uintptr_t)fn)(in, inout, &n, &t);
}

#define COPY_AND_DELETE(kind, name)                                                                                              \
	static inline int invoke_##kind##_copy(void *fn, uintptr_t from, int keyval, void *extra, void *in, void *out, int *flag) {   \
		__typeof__(kind##_out(0)) h = kind##_out(from);                                                                                          \
		int k = keyval_out(keyval), code;                                                                                         \
		if (fortran_copy(fn, (int)(intptr_t)h, k, extra, in, out, flag, &code)) return code_in(code);                             \
		return code_in(((MPI_##name##_copy_attr_function *)(uintptr_t)fn)(h, k, extra, in, out, flag));                           \
	}                                                                                                                            \
	static inline int invoke_##kind##_delete(void *fn, uintptr_t of, int keyval, void *value, void *extra) {                      \
		__typeof__(kind##_out(0)) h = kind##_out(of);                                                                                            \
		int k = keyval_out(keyval), code;                                                                                         \
		if (fortran_delete(fn, (int)(intptr_t)h, k, value, extra, &code)) return code_in(code);                                   \
		return code_in(((MPI_##name##_delete_attr_function *)(uintptr_t)fn)(h, k, value, extra));                                 \
	}
COPY_AND_DELETE(comm, Comm)
COPY_AND_DELETE(type, Type)
COPY_AND_DELETE(win, Win)

#define ERROR_HANDLER(kind, name)                                                          \
	static inline void invoke_##kind##_error(void *fn, uintptr_t object, int code) {       \
		MPI_##name h = kind##_out(object);                                                 \
		int c = code_out(code);                                                            \
		((MPI_##name##_errhandler_function *)(uintptr_t)fn)(&h, &c);                       \
	}
ERROR_HANDLER(comm, Comm)
ERROR_HANDLER(win, Win)
ERROR_HANDLER(file, File)
ERROR_HANDLER(session, Session)

static inline int invoke_extent(void *fn, uintptr_t datatype, int64_t *extent, void *extra) {
	MPI_Aint a = 0;
	int code = ((MPI_Datarep_extent_function *)(uintptr_t)fn)(type_out(datatype), &a, extra);
	*extent = a;
	return code_in(code);
}
static inline int invoke_conversion(void *fn, void *memory, uintptr_t datatype, int64_t count, void *file, int64_t position, void *extra) {
	return code_in(((MPI_Datarep_conversion_function *)(uintptr_t)fn)(memory, type_out(datatype), (int)count, file, position, extra));
}
static inline int invoke_conversion_c(void *fn, void *memory, uintptr_t datatype, int64_t count, void *file, int64_t position, void *extra) {
	return code_in(((MPI_Datarep_conversion_function_c *)(uintptr_t)fn)(memory, type_out(datatype), count, file, position, extra));
}
