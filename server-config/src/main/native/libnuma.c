/*
 * A stand-in for libnuma.so.1, for machines that do not have it. numa_available() says "no", and MySQL 8.0.12 then
 * calls nothing else of it; the others exist only so that the program can be loaded.
 */
#define NOT_AVAILABLE (-1)

void *numa_all_nodes_ptr = 0;

int numa_available(void) { return NOT_AVAILABLE; }
int numa_num_configured_cpus(void) { return NOT_AVAILABLE; }
int numa_node_of_cpu(int cpu) { return NOT_AVAILABLE; }
void *numa_alloc_onnode(unsigned long size, int node) { return 0; }
void *numa_alloc_local(unsigned long size) { return 0; }
void numa_free(void *start, unsigned long size) {}
long mbind(void *start, unsigned long length, int mode, const unsigned long *nodes, unsigned long most, unsigned flags) {
    return NOT_AVAILABLE;
}
long set_mempolicy(int mode, const unsigned long *nodes, unsigned long most) { return NOT_AVAILABLE; }
