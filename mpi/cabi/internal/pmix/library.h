/* The functions of libpmix that this package calls, without types of PMIx. Results are its status codes, 0 if all is well. */
#include <stddef.h>
#include <stdint.h>

/* pmix_load loads the library. It returns NULL, or why it cannot, in the words of the dynamic linker. */
const char *pmix_load(const char *name);

int pmix_init(char nspace[256], uint32_t *rank);
int pmix_job_size(const char *nspace, uint32_t *size);
int pmix_app_number(const char *nspace, uint32_t rank, uint32_t *number);
int pmix_put(const char *key, const char *value);
/* pmix_fence makes what this process has put known to all ranks of the job, which meet, and what they have put to this one. */
int pmix_fence(void);
/* pmix_get gives a copy of what a rank has put. The caller frees it. */
int pmix_get(const char *nspace, uint32_t rank, const char *key, char **value);
/* pmix_nodes gives the names of the job's hosts, with commas between them. The caller frees it. */
int pmix_nodes(const char *nspace, char **nodes);
/* pmix_peers gives the ranks on a host. The caller frees them. */
int pmix_peers(const char *nspace, const char *node, uint32_t **ranks, size_t *n);
/* pmix_watch has a byte written to a descriptor when the connection to the server is lost. */
int pmix_watch(int descriptor);
int pmix_abort(int status, const char *message);
int pmix_finalize(void);
const char *pmix_error(int status);
