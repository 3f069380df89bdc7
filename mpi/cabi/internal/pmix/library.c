#include "api.h"
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DECLARE(result, name, parameters) static result(*name) parameters;
PMIX_FUNCTIONS(DECLARE)

/* The library stays loaded: it has threads. Its plugins may expect to find its symbols. */
const char *pmix_load(const char *name)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
	if (library == NULL)
		return dlerror();
#define FIND(result, name, parameters) \
	if ((*(void **)&name = dlsym(library, #name)) == NULL) \
		return dlerror();
	PMIX_FUNCTIONS(FIND)
	return NULL;
}

/* process is a rank of a namespace, which is the name of a job. */
static pmix_proc_t process(const char *nspace, uint32_t rank)
{
	pmix_proc_t p = { .rank = rank };
	strncpy(p.nspace, nspace, PMIX_MAX_NSLEN);
	return p;
}

int pmix_init(char nspace[256], uint32_t *rank)
{
	pmix_proc_t me = { .rank = 0 };
	pmix_status_t status = PMIx_Init(&me, NULL, 0);
	memcpy(nspace, me.nspace, sizeof me.nspace);
	nspace[PMIX_MAX_NSLEN] = 0;
	*rank = me.rank;
	return status;
}

/* take gets a value of a type. Its contents then belong to the caller. */
static pmix_status_t take(pmix_proc_t from, const char *key, pmix_data_type_t type, pmix_value_t *to)
{
	/* What is not there is an error at once: the server does not wait for it to be put. */
	pmix_info_t how = { .key = PMIX_IMMEDIATE, .value = { .type = PMIX_BOOL, .data.flag = true } };
	pmix_value_t *value = NULL;
	pmix_status_t status = PMIx_Get(&from, key, &how, 1, &value);
	if (status != PMIX_SUCCESS)
		return status;
	if (value == NULL || value->type != type || (type == PMIX_STRING && value->data.string == NULL))
		return PMIX_ERR_TYPE_MISMATCH; /* and leave it: it is not known what it holds */
	*to = *value;
	free(value);
	return PMIX_SUCCESS;
}

int pmix_job_size(const char *nspace, uint32_t *size)
{
	pmix_value_t value;
	pmix_status_t status = take(process(nspace, PMIX_RANK_WILDCARD), PMIX_JOB_SIZE, PMIX_UINT32, &value);
	if (status == PMIX_SUCCESS)
		*size = value.data.uint32;
	return status;
}

int pmix_app_number(const char *nspace, uint32_t rank, uint32_t *number)
{
	pmix_value_t value;
	pmix_status_t status = take(process(nspace, rank), PMIX_APPNUM, PMIX_UINT32, &value);
	if (status == PMIX_SUCCESS)
		*number = value.data.uint32;
	return status;
}

int pmix_get(const char *nspace, uint32_t rank, const char *key, char **to)
{
	pmix_value_t value;
	pmix_status_t status = take(process(nspace, rank), key, PMIX_STRING, &value);
	if (status == PMIX_SUCCESS)
		*to = value.data.string;
	return status;
}

int pmix_put(const char *key, const char *value)
{
	pmix_value_t v = { .type = PMIX_STRING, .data.string = (char *)value }; /* which the library copies */
	return PMIx_Put(PMIX_GLOBAL, key, &v);
}

int pmix_fence(void)
{
	pmix_info_t how = { .key = PMIX_COLLECT_DATA, .value = { .type = PMIX_BOOL, .data.flag = true } };
	pmix_status_t status = PMIx_Commit();
	return status != PMIX_SUCCESS ? status : PMIx_Fence(NULL, 0, &how, 1);
}

int pmix_nodes(const char *nspace, char **nodes)
{
	return PMIx_Resolve_nodes(process(nspace, PMIX_RANK_WILDCARD).nspace, nodes);
}

int pmix_peers(const char *nspace, const char *node, uint32_t **ranks, size_t *n)
{
	pmix_proc_t *peers = NULL;
	pmix_status_t status = PMIx_Resolve_peers(node, process(nspace, PMIX_RANK_WILDCARD).nspace, &peers, n);
	if (status != PMIX_SUCCESS)
		return status;
	*ranks = calloc(*n + 1, sizeof **ranks);
	for (size_t i = 0; i < *n && *ranks != NULL; i++)
		(*ranks)[i] = peers[i].rank;
	free(peers);
	return PMIX_SUCCESS;
}

static int watcher;

/* lost is called on a thread of the library, which goes on when done has been called. */
static void lost(size_t id, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[], size_t ninfo, pmix_info_t *results,
	size_t nresults, pmix_event_notification_cbfunc_fn_t done, void *data)
{
	(void)id, (void)status, (void)source, (void)info, (void)ninfo, (void)results, (void)nresults;
	(void)!write(watcher, "", 1); /* if it cannot be written it is not read either */
	if (done != NULL)
		done(PMIX_SUCCESS, NULL, 0, NULL, NULL, data);
}

/* The result of a registration is its number, from 0, or an error, which is negative. */
int pmix_watch(int descriptor)
{
	pmix_status_t codes[] = { PMIX_ERR_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION_TO_SERVER };
	watcher = descriptor;
	pmix_status_t status = PMIx_Register_event_handler(codes, 2, NULL, 0, lost, NULL, NULL);
	return status > 0 ? PMIX_SUCCESS : status;
}

int pmix_abort(int status, const char *message) { return PMIx_Abort(status, message, NULL, 0); }
int pmix_finalize(void) { return PMIx_Finalize(NULL, 0); }
const char *pmix_error(int status) { return PMIx_Error_string(status); }
