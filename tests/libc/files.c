// Reading and writing by descriptor; sockets; waiting; what else makes descriptors.
#include "rows.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>

ssize_t __read(int, void *, size_t), __write(int, const void *, size_t), __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t), __pread64_chk(int, void *, size_t, off_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
int __open_2(const char *, int), __open64_2(const char *, int), __openat_2(int, const char *, int), __openat64_2(int, const char *, int);

// A file of ten bytes, at its start; a pair of sockets with five bytes on their way to fd.
static int fd, other;
INVISIBLE void file(void) {
    fd = memfd_create("row", 0);
    CHECK(pwrite(fd, "0123456789", 10, 0) == 10);
}
INVISIBLE void pair(int kind) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, kind, 0, ends) == 0);
    fd = ends[0], other = ends[1];
    CHECK(write(other, "hello", 5) == 5);
}
#define FILE10 file()
#define PAIR pair(SOCK_STREAM)
// Two buffers in c: 6 bytes of a, 30 of b.
INVISIBLE void vectors(void) { bytes(c, (struct iovec[]){{a, 6}, {b, 30}}, 32); }
// A message in d with them, without a name.
INVISIBLE void message(void) {
    vectors();
    struct msghdr header = {.msg_iov = (struct iovec *)c, .msg_iovlen = 2};
    bytes(d, &header, sizeof header);
    integer(d + sizeof header, 0);
}
#define HEADER sizeof(struct msghdr)

#define READS(name, ...) ROW(name, FILE10, number = name(__VA_ARGS__), W(a, 10))
READS(read, fd, a, 60)
READS(__read, fd, a, 60)
READS(__read_chk, fd, a, 60, 90)
READS(pread, fd, a, 60, 0)
READS(pread64, fd, a, 60, 0)
READS(__pread_chk, fd, a, 60, 0, 90)
READS(__pread64_chk, fd, a, 60, 0, 90)
ROW(read_V_none, fd = -1, number = read(fd, a, 60), NOTHING)
#define WRITES(name, ...) ROW(name, FILE10, number = name(__VA_ARGS__), R(a, 60))
WRITES(write, fd, a, 60)
WRITES(__write, fd, a, 60)
WRITES(pwrite, fd, a, 60, 0)
WRITES(pwrite64, fd, a, 60, 0)
#define SCATTERS(name, ...) ROW(name, (FILE10, vectors()), number = name(__VA_ARGS__), (W(a, 6), W(b, 4), R(c, 32)))
#define V fd, (struct iovec *)c, 2
SCATTERS(readv, V)
SCATTERS(preadv, V, 0)
SCATTERS(preadv64, V, 0)
SCATTERS(preadv2, V, 0, 0)
SCATTERS(preadv64v2, V, 0, 0)
#define GATHERS(name, ...) ROW(name, (FILE10, vectors()), number = name(__VA_ARGS__), (R(a, 6), R(b, 30), R(c, 32)))
GATHERS(writev, V)
GATHERS(pwritev, V, 0)
GATHERS(pwritev64, V, 0)
GATHERS(pwritev2, V, 0, 0)
GATHERS(pwritev64v2, V, 0, 0)
// A list whose second buffer is on a page that is not there.
static char *list;
INVISIBLE void list_to_the_end(void) {
    char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages + 4096, 4096, PROT_NONE) == 0);
    list = pages + 4096 - 16;
    bytes(list, &(struct iovec){a, 6}, 16);
}
#define REFUSES(name, row, before, ...) ROW(name##_V_##row, (FILE10, before), number = name(__VA_ARGS__), refused())
REFUSES(readv, bad, NOTHING, fd, BAD, 2)
REFUSES(preadv, bad, NOTHING, fd, BAD, 2, 0)
REFUSES(preadv64, bad, NOTHING, fd, BAD, 2, 0)
REFUSES(preadv2, bad, NOTHING, fd, BAD, 2, 0, 0)
REFUSES(preadv64v2, bad, NOTHING, fd, BAD, 2, 0, 0)
REFUSES(writev, bad, NOTHING, fd, BAD, 2)
REFUSES(writev, null, NOTHING, fd, 0, 2)
REFUSES(writev, end, list_to_the_end(), fd, (struct iovec *)list, 2)
REFUSES(readv, end, list_to_the_end(), fd, (struct iovec *)list, 2)
REFUSES(pwritev, bad, NOTHING, fd, BAD, 2, 0)
REFUSES(pwritev64, bad, NOTHING, fd, BAD, 2, 0)
REFUSES(pwritev2, bad, NOTHING, fd, BAD, 2, 0, 0)
REFUSES(pwritev64v2, bad, NOTHING, fd, BAD, 2, 0, 0)
REFUSES(fcntl, bad, NOTHING, fd, F_OFD_SETLK, BAD)
ROW(writev_V_buffer, (FILE10, bytes(c, (struct iovec[]){{BAD, 6}}, 16)), number = writev(fd, (struct iovec *)c, 1), (refused(), R(c, 16)))
ROW(open_V_bad, NOTHING, number = open(BAD, O_RDONLY), refused())
// A name whose end is where nothing can be read.
INVISIBLE __attribute__((unused)) const char *endless(void) {
    char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages + 4096, 4096, PROT_NONE) == 0);
    for (int i = 4092; i < 4096; i++) pages[i] = 'x';
    return pages + 4092;
}
ROW(open_V_endless, NOTHING, number = open(endless(), O_RDONLY), refused())
ROW(syscall_V_openat_endless, NOTHING, number = syscall(SYS_openat, AT_FDCWD, endless(), O_RDONLY), refused())
ROW(syscall_V_openat_bad, NOTHING, number = syscall(SYS_openat, AT_FDCWD, BAD, O_RDONLY), refused())
ROW(syscall_V_writev_bad, FILE10, number = syscall(SYS_writev, fd, BAD, 2), refused())
static int ends[2];
ROW(vmsplice, (pipe(ends), vectors()), number = vmsplice(ends[1], (struct iovec *)c, 2, 0), (R(a, 6), R(b, 30), R(c, 32)))
// From this process's own memory, which is not part of the row.
static char source[36];
static struct iovec remote = {source, 36};
ROW(process_vm_readv, vectors(), number = process_vm_readv(getpid(), (struct iovec *)c, 2, &remote, 1, 0), (W(a, number > 0 ? 6 : 0), W(b, number > 0 ? 30 : 0), R(c, number > 0 ? 32 : 0)))
ROW(process_vm_writev, vectors(), number = process_vm_writev(getpid(), (struct iovec *)c, 2, &remote, 1, 0), (R(a, 6), R(b, 30), R(c, 32)))
// A sandbox may forbid these.
INVISIBLE void refused_if_allowed(void) { CHECK(number == -1 && (errno == EFAULT || errno == EPERM || errno == ENOSYS)); }
ROW(process_vm_readv_V_bad, NOTHING, number = process_vm_readv(getpid(), BAD, 2, &remote, 1, 0), refused_if_allowed())
ROW(process_vm_writev_V_bad, NOTHING, number = process_vm_writev(getpid(), BAD, 2, &remote, 1, 0), refused_if_allowed())

ROW(eventfd_read, fd = eventfd(5, 0), eventfd_read(fd, (eventfd_t *)a), W(a, 8))
ROW(sendfile, (FILE10, other = memfd_create("row", 0), word(a, 2)), number = sendfile(other, fd, (off_t *)a, 5), W(a, 8))
ROW(sendfile64, (FILE10, other = memfd_create("row", 0), word(a, 2)), number = sendfile64(other, fd, (off_t *)a, 5), W(a, 8))
ROW(copy_file_range, (FILE10, other = memfd_create("row", 0), word(a, 2), word(b, 0)), number = copy_file_range(fd, (off_t *)a, other, (off_t *)b, 5, 0), (W(a, 8), W(b, 8)))
ROW(splice, (FILE10, pipe(ends), word(a, 2)), number = splice(fd, (off_t *)a, ends[1], 0, 5, 0), W(a, 8))
ROW(pipe, NOTHING, pipe((int *)a), W(a, 8))
ROW(pipe2, NOTHING, pipe2((int *)a, 0), W(a, 8))

#define OPENS(name, ...) ROW(name, text(a, "/dev/null"), number = name(__VA_ARGS__), R(a, 10))
OPENS(open, a, O_RDONLY)
OPENS(open64, a, O_RDONLY)
OPENS(openat, AT_FDCWD, a, O_RDONLY)
OPENS(openat64, AT_FDCWD, a, O_RDONLY)
OPENS(__open_2, a, O_RDONLY)
OPENS(__open64_2, a, O_RDONLY)
OPENS(__openat_2, AT_FDCWD, a, O_RDONLY)
OPENS(__openat64_2, AT_FDCWD, a, O_RDONLY)
OPENS(creat, a, 0)
OPENS(creat64, a, 0)
OPENS(memfd_create, a, 0)
OPENS(shm_open, a, O_RDONLY, 0)
#define TEMPORARY(name, suffix, ...) ROW(name, text(a, "/nowhere/XXXXXX" suffix), number = name(__VA_ARGS__), W(a, 16 + sizeof suffix - 1))
TEMPORARY(mkstemp, "", a)
TEMPORARY(mkstemp64, "", a)
TEMPORARY(mkostemp, "", a, 0)
TEMPORARY(mkostemp64, "", a, 0)
TEMPORARY(mkstemps, ".x", a, 2)
TEMPORARY(mkstemps64, ".x", a, 2)
TEMPORARY(mkostemps, ".x", a, 2, 0)
TEMPORARY(mkostemps64, ".x", a, 2, 0)
#define LOCK (fill(a, 0, sizeof(struct flock)), fill(a, 0, 2))
ROW(fcntl, (FILE10, LOCK), number = fcntl(fd, F_GETLK, a), W(a, sizeof(struct flock)))
ROW(fcntl_V_set, (FILE10, LOCK), number = fcntl(fd, F_SETLK, a), R(a, sizeof(struct flock)))
ROW(fcntl64, (FILE10, LOCK), number = fcntl64(fd, F_GETLK, a), W(a, sizeof(struct flock)))

ROW(socketpair, NOTHING, socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)a), W(a, 8))
ROW(send, PAIR, number = send(fd, a, 60, 0), R(a, 60))
ROW(recv, PAIR, number = recv(fd, a, 60, 0), W(a, 5))
ROW(recv_V_cut, pair(SOCK_DGRAM), number = recv(fd, a, 3, MSG_TRUNC), W(a, 3))
ROW(__recv_chk, PAIR, number = __recv_chk(fd, a, 60, 90, 0), W(a, 5))
ROW(sendmsg, (PAIR, message()), number = sendmsg(fd, (struct msghdr *)d, 0), (R(a, 6), R(b, 30), R(c, 32), R(d, HEADER)))
ROW(recvmsg, (PAIR, message()), number = recvmsg(fd, (struct msghdr *)d, 0), (W(a, 5), R(c, 32), R(d, HEADER)))
ROW(sendmmsg, (PAIR, message()), number = sendmmsg(fd, (struct mmsghdr *)d, 1, 0), (R(a, 6), R(b, 30), R(c, 32), R(d, HEADER), W(d + HEADER, 4)))
ROW(recvmmsg, (PAIR, message()), number = recvmmsg(fd, (struct mmsghdr *)d, 1, 0, 0), (W(a, 5), R(c, 32), R(d, HEADER), W(d + HEADER, 4)))
// Of two messages of which the second is not there, the first is sent.
INVISIBLE void message_to_the_end(void) {
    list_to_the_end();
    list -= sizeof(struct mmsghdr) - 16;
    message();
    bytes(list, &(struct mmsghdr){.msg_hdr = *(struct msghdr *)d}, sizeof(struct mmsghdr));
}
// A message in d whose list is not there.
INVISIBLE void message_without(void) {
    struct msghdr header = {.msg_iov = BAD, .msg_iovlen = 2};
    bytes(d, &header, sizeof header);
}
#define REFUSES_MESSAGE(name, row, before, ...) ROW(name##_V_##row, (PAIR, before), number = name(__VA_ARGS__), refused())
REFUSES_MESSAGE(sendmsg, bad, NOTHING, fd, BAD, 0)
REFUSES_MESSAGE(recvmsg, bad, NOTHING, fd, BAD, 0)
REFUSES_MESSAGE(sendmmsg, bad, NOTHING, fd, BAD, 2, 0)
REFUSES_MESSAGE(recvmmsg, bad, NOTHING, fd, BAD, 2, 0, 0)
REFUSES_MESSAGE(recvfrom, bad, NOTHING, fd, a, 60, 0, (struct sockaddr *)b, BAD)
ROW(sendto_V_bad, PAIR, number = sendto(fd, c, 4, 0, BAD, 16), (refused(), R(c, 4)))
REFUSES_MESSAGE(connect, bad, NOTHING, fd, BAD, 16)
REFUSES_MESSAGE(getsockname, bad, NOTHING, fd, (struct sockaddr *)b, BAD)
REFUSES_MESSAGE(getpeername, bad, NOTHING, fd, (struct sockaddr *)b, BAD)
ROW(sendmsg_V_list, (PAIR, message_without()), number = sendmsg(fd, (struct msghdr *)d, 0), (refused(), R(d, HEADER)))
ROW(recvmsg_V_list, (PAIR, message_without()), number = recvmsg(fd, (struct msghdr *)d, 0), refused())
ROW(sendmmsg_V_end, (PAIR, message_to_the_end()), number = sendmmsg(fd, (struct mmsghdr *)list, 2, 0), (CHECK(number == 1), R(a, 6), R(b, 30), R(c, 32), R(list, HEADER), W(list + HEADER, 4)))
ROW(epoll_ctl_V_bad, PAIR, number = epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, fd, BAD), refused())

// Two sockets of the loopback interface: fd listens at, or is sent from, an address that is in a.
INVISIBLE void inet(int kind) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    fd = socket(AF_INET, kind, 0);
    CHECK(bind(fd, (struct sockaddr *)&address, length) == 0 && getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    bytes(a, &address, sizeof address);
    other = socket(AF_INET, kind, 0);
    if (kind == SOCK_STREAM) {
        CHECK(listen(fd, 5) == 0);
    } else {
        CHECK(sendto(other, "hello", 5, 0, (struct sockaddr *)&address, length) == 5);
    }
}
INVISIBLE void connected(void) {
    struct sockaddr_in address;
    inet(SOCK_STREAM);
    bytes(&address, a, 16);
    CHECK(connect(other, (struct sockaddr *)&address, 16) == 0);
}
#define S(p) (struct sockaddr *)(p)
#define L(p) (socklen_t *)(p)
ROW(connect, inet(SOCK_STREAM), number = connect(other, S(a), 16), R(a, 16))
ROW(bind, (fd = socket(AF_INET, SOCK_DGRAM, 0), bytes(a, &(struct sockaddr_in){AF_INET}, 16)), number = bind(fd, S(a), 16), R(a, 16))
ROW(accept, (connected(), integer(c, 60)), number = accept(fd, S(b), L(c)), (W(b, 16), W(c, 4)))
ROW(accept_V_cut, (connected(), integer(c, 6)), number = accept(fd, S(b), L(c)), (W(b, 6), W(c, 4)))
ROW(accept4, (connected(), integer(c, 60)), number = accept4(fd, S(b), L(c), 0), (W(b, 16), W(c, 4)))
ROW(getsockname, (connected(), integer(c, 60)), number = getsockname(other, S(b), L(c)), (W(b, 16), W(c, 4)))
ROW(getsockname_V_cut, (connected(), integer(c, 6)), number = getsockname(other, S(b), L(c)), (W(b, 6), W(c, 4)))
ROW(getpeername, (connected(), integer(c, 60)), number = getpeername(other, S(b), L(c)), (W(b, 16), W(c, 4)))
ROW(sendto, inet(SOCK_DGRAM), number = sendto(other, b, 9, 0, S(a), 16), (R(a, 16), R(b, 9)))
ROW(recvfrom, (inet(SOCK_DGRAM), integer(c, 60)), number = recvfrom(fd, d, 60, 0, S(b), L(c)), (W(b, 16), W(c, 4), W(d, 5)))
ROW(__recvfrom_chk, (inet(SOCK_DGRAM), integer(c, 60)), number = __recvfrom_chk(fd, d, 60, 90, 0, S(b), L(c)), (W(b, 16), W(c, 4), W(d, 5)))
ROW(getsockopt, (PAIR, integer(c, 60)), number = getsockopt(fd, SOL_SOCKET, SO_TYPE, b, L(c)), (W(b, 4), W(c, 4)))
ROW(setsockopt, (PAIR, integer(b, 1)), number = setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, b, 4), R(b, 4))

#define POLLS (PAIR, bytes(a, &(struct pollfd){.fd = fd, .events = POLLIN}, 8))
ROW(poll, POLLS, number = poll((struct pollfd *)a, 1, 0), (R(a, 6), W(a + 6, 2)))
ROW(ppoll, (POLLS, fill(b, 0, 16), fill(c, 0, 128)), number = ppoll((struct pollfd *)a, 1, (struct timespec *)b, (sigset_t *)c), (R(a, 6), W(a + 6, 2), R(b, 16), R(c, 128)))
ROW(__poll_chk, POLLS, number = __poll_chk((struct pollfd *)a, 1, 0, 90), (R(a, 6), W(a + 6, 2)))
ROW(__ppoll_chk, (POLLS, fill(b, 0, 16)), number = __ppoll_chk((struct pollfd *)a, 1, (struct timespec *)b, 0, 90), (R(a, 6), W(a + 6, 2), R(b, 16)))
#define SETS (fill(a, 0, 128), fill(b, 0, 128), fill(c, 0, 128), fill(d, 0, 16))
ROW(select, SETS, number = select(10, (fd_set *)a, (fd_set *)b, (fd_set *)c, (struct timeval *)d), (W(a, 8), W(b, 8), W(c, 8), W(d, 16)))
ROW(pselect, SETS, number = pselect(100, (fd_set *)a, (fd_set *)b, 0, (struct timespec *)d, 0), (W(a, 16), W(b, 16), R(d, 16)))
#define EVENT (PAIR, number = epoll_create1(0), epoll_ctl(number, EPOLL_CTL_ADD, fd, &(struct epoll_event){EPOLLIN}))
ROW(epoll_ctl, (PAIR, number = epoll_create1(0), bytes(a, &(struct epoll_event){EPOLLIN}, 12)), epoll_ctl(number, EPOLL_CTL_ADD, fd, (struct epoll_event *)a), R(a, 12))
ROW(epoll_wait, EVENT, number = epoll_wait(number, (struct epoll_event *)a, 5, 0), W(a, 12))
ROW(epoll_pwait, (EVENT, fill(b, 0, 128)), number = epoll_pwait(number, (struct epoll_event *)a, 5, 0, (sigset_t *)b), (W(a, 12), R(b, 128)))
ROW(epoll_pwait2, (EVENT, fill(b, 0, 128), fill(c, 0, 16)), number = epoll_pwait2(number, (struct epoll_event *)a, 5, (struct timespec *)c, (sigset_t *)b), (W(a, 12), R(b, 128), R(c, 16)))
ROW(signalfd, fill(a, 0, 128), number = signalfd(-1, (sigset_t *)a, 0), R(a, 128))

ROW(inet_pton, text(a, "127.0.0.1"), number = inet_pton(AF_INET, a, b), (R(a, 10), W(b, 4)))
ROW(inet_pton_V_6, text(a, "::1"), number = inet_pton(AF_INET6, a, b), (R(a, 4), W(b, 16)))
ROW(inet_ntop, integer(a, 0), got = (void *)inet_ntop(AF_INET, a, b, 60), (R(a, 4), W(b, 8)))
ROW(inet_aton, text(a, "127.0.0.1"), number = inet_aton(a, (struct in_addr *)b), (R(a, 10), W(b, 4)))

// System calls by number.
ROW(syscall, FILE10, number = syscall(SYS_read, fd, a, 60), W(a, 10))
ROW(syscall_V_write, FILE10, number = syscall(SYS_write, fd, a, 60), R(a, 60))
ROW(syscall_V_readv, (FILE10, vectors()), number = syscall(SYS_readv, fd, c, 2), (W(a, 6), W(b, 4), R(c, 32)))
ROW(syscall_V_openat, text(a, "/dev/null"), number = syscall(SYS_openat, AT_FDCWD, a, O_RDONLY), R(a, 10))
ROW(syscall_V_getrandom, NOTHING, number = syscall(SYS_getrandom, a, 13, 0), W(a, 13))
ROW(syscall_V_clock_gettime, NOTHING, number = syscall(SYS_clock_gettime, CLOCK_REALTIME, a), W(a, 16))
ROW(syscall_V_pipe, NOTHING, number = syscall(SYS_pipe, a), W(a, 8))
ROW(syscall_V_nothing, NOTHING, number = syscall(SYS_gettid, a, b), NOTHING)

MAIN
