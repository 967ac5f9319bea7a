/*
 * A stand-in for libaio.so.1, for machines that do not have it. MySQL 8.0.12 is linked against it but, started with
 * --innodb-use-native-aio=0, never needs it: every function answers "not implemented" the way the kernel would.
 */
#define NOT_IMPLEMENTED (-38)

struct context;
struct request;
struct event;
struct timeout;

int setup(int events, struct context **context) { return NOT_IMPLEMENTED; }
int destroy(struct context *context) { return NOT_IMPLEMENTED; }
int submit(struct context *context, long count, struct request **requests) { return NOT_IMPLEMENTED; }
int cancel(struct context *context, struct request *request, struct event *event) { return NOT_IMPLEMENTED; }
int getevents(struct context *context, long least, long most, struct event *events, struct timeout *timeout) {
    return NOT_IMPLEMENTED;
}

__asm__(".symver setup,io_setup@@LIBAIO_0.4");
__asm__(".symver destroy,io_destroy@@LIBAIO_0.4");
__asm__(".symver cancel,io_cancel@@LIBAIO_0.4");
__asm__(".symver getevents,io_getevents@@LIBAIO_0.4");
__asm__(".symver submit,io_submit@@LIBAIO_0.1");
