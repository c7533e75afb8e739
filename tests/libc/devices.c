// Terminals, what devices are asked, and message queues and semaphores.
#include "rows.h"

#include <fcntl.h>
#include <mqueue.h>
#include <net/if.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <termios.h>

int __ttyname_r_chk(int, char *, size_t, size_t), __ptsname_r_chk(int, char *, size_t, size_t);
#define T ((struct termios *)a)
#define TERMIOS sizeof(struct termios)
static int terminal, other;
INVISIBLE void open_terminal(void) {
    CHECK(openpty(&terminal, &other, 0, 0, 0) == 0);
    CHECK(write(terminal, "hello\n", 6) == 6);
}
#define LENGTH(p) (strlen(p) + 1)
ROW(tcgetattr, open_terminal(), tcgetattr(other, T), W(a, TERMIOS))
ROW(tcsetattr, (open_terminal(), fill(a, 0, TERMIOS)), tcsetattr(other, TCSANOW, T), R(a, TERMIOS))
ROW(cfmakeraw, fill(a, 0, TERMIOS), cfmakeraw(T), (W(a, 16), W(a + 17 + VMIN, 1), W(a + 17 + VTIME, 1)))
ROW(cfgetispeed, fill(a, 0, TERMIOS), number = cfgetispeed(T), R(a, TERMIOS))
ROW(cfgetospeed, fill(a, 0, TERMIOS), number = cfgetospeed(T), R(a, TERMIOS))
ROW(cfsetispeed, fill(a, 0, TERMIOS), number = cfsetispeed(T, B9600), W(a, TERMIOS))
ROW(cfsetospeed, fill(a, 0, TERMIOS), number = cfsetospeed(T, B9600), W(a, TERMIOS))
ROW(cfsetspeed, fill(a, 0, TERMIOS), number = cfsetspeed(T, B9600), W(a, TERMIOS))
ROW(ttyname, open_terminal(), got = ttyname(other), W(got, LENGTH(got)))
ROW(ttyname_r, open_terminal(), number = ttyname_r(other, a, 60), W(a, LENGTH(a)))
ROW(__ttyname_r_chk, open_terminal(), number = __ttyname_r_chk(other, a, 60, 90), W(a, LENGTH(a)))
ROW(ptsname, open_terminal(), got = ptsname(terminal), W(got, LENGTH(got)))
ROW(ptsname_r, open_terminal(), number = ptsname_r(terminal, a, 60), W(a, LENGTH(a)))
ROW(__ptsname_r_chk, open_terminal(), number = __ptsname_r_chk(terminal, a, 60, 90), W(a, LENGTH(a)))
ROW(openpty, fill(d, 0, 8), openpty((int *)a, (int *)b, c, 0, (struct winsize *)d), (W(a, 4), W(b, 4), W(c, LENGTH(c)), R(d, 8)))
ROW(ioctl, open_terminal(), ioctl(other, FIONREAD, a), W(a, 4))
ROW(ioctl_V_size, open_terminal(), ioctl(other, TIOCGWINSZ, a), W(a, 8))
ROW(ioctl_V_set_size, (open_terminal(), fill(a, 0, 8)), ioctl(other, TIOCSWINSZ, a), R(a, 8))
ROW(ioctl_V_termios, open_terminal(), ioctl(other, TCGETS, a), W(a, 36))
ROW(ioctl_V_nonblocking, (open_terminal(), integer(a, 1)), ioctl(other, FIONBIO, a), R(a, 4))
ROW(ioctl_V_new, open_terminal(), ioctl(terminal, TIOCGPTN, a), W(a, 4))
ROW(ioctl_V_fails, NOTHING, ioctl(-1, FIONREAD, a), NOTHING)
ROW(ioctl_V_interface, (terminal = socket(AF_INET, SOCK_DGRAM, 0), fill(a, 0, 40), text(a, "lo")), number = ioctl(terminal, SIOCGIFINDEX, a), (number == 0 ? W(a, 40) : R(a, 40)))
ROW(ioctl_V_interfaces, (terminal = socket(AF_INET, SOCK_DGRAM, 0), bytes(a, &(struct ifconf){200, {b}}, 16)), number = ioctl(terminal, SIOCGIFCONF, a), (W(a, 16), W(b, ((struct ifconf *)a)->ifc_len)))

static int queue;
INVISIBLE void message(void) {
    queue = msgget(IPC_PRIVATE, 0600);
    bytes(a, &(struct {long kind; char text[5];}){1, "text"}, 13);
}
INVISIBLE void sent(void) {
    message();
    struct {long kind; char text[5];} kept = {1, "text"};
    CHECK(queue < 0 || msgsnd(queue, &kept, 5, 0) == 0);
}
#define GONE msgctl(queue, IPC_RMID, 0)
ROW(msgsnd, message(), msgsnd(queue, a, 5, 0), (GONE, R(a, 13)))
ROW(msgrcv, sent(), number = msgrcv(queue, b, 60, 0, 0), (GONE, W(b, 13)))
ROW(msgctl, message(), msgctl(queue, IPC_STAT, (struct msqid_ds *)b), (GONE, W(b, sizeof(struct msqid_ds))))
static int segment;
ROW(shmctl, segment = shmget(IPC_PRIVATE, 4096, 0600), shmctl(segment, IPC_STAT, (struct shmid_ds *)b), (shmctl(segment, IPC_RMID, 0), W(b, sizeof(struct shmid_ds))))
static int set;
#define SET (set = semget(IPC_PRIVATE, 1, 0600), bytes(a, &(struct sembuf){0, 1, 0}, 6))
ROW(semop, SET, semop(set, (struct sembuf *)a, 1), (semctl(set, 0, IPC_RMID), R(a, 6)))
ROW(semctl, set = semget(IPC_PRIVATE, 3, 0600), semctl(set, 0, GETALL, b), (semctl(set, 0, IPC_RMID), W(b, 6)))
ROW(semtimedop, (SET, fill(b, 0, 16)), semtimedop(set, (struct sembuf *)a, 1, (struct timespec *)b), (semctl(set, 0, IPC_RMID), R(a, 6), R(b, 16)))

static mqd_t posix_queue = -1;
INVISIBLE void open_queue(int messages) {
    char name[40];
    static int count;
    snprintf(name, sizeof name, "/row-%d-%d", getpid(), count++);
    posix_queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, 0);
    mq_unlink(name);
    if (posix_queue >= 0 && messages) CHECK(mq_send(posix_queue, "hello", 5, 3) == 0);
}
static char message_buffer[8192];
ROW(mq_open, (text(a, "/no such row"), fill(b, 0, sizeof(struct mq_attr))), number = mq_open(a, O_RDWR | O_CREAT, 0600, (struct mq_attr *)b), (R(a, 13), R(b, sizeof(struct mq_attr))))
int __mq_open_2(const char *, int);
ROW(__mq_open_2, text(a, "/no such row"), number = __mq_open_2(a, O_RDWR), R(a, 13))
ROW(mq_send, open_queue(0), number = mq_send(posix_queue, a, 13, 0), R(a, 13))
ROW(mq_timedsend, (open_queue(0), fill(b, 0, 16)), number = mq_timedsend(posix_queue, a, 13, 0, (struct timespec *)b), (R(a, 13), R(b, 16)))
// Where the system has no such queues, they fail, and write nothing.
ROW(mq_receive, open_queue(1), number = mq_receive(posix_queue, message_buffer, 8192, (unsigned *)a), (W(message_buffer, number < 0 ? 0 : 5), W(a, number < 0 ? 0 : 4)))
ROW(mq_timedreceive, (open_queue(1), fill(b, 0, 16)), number = mq_timedreceive(posix_queue, message_buffer, 8192, (unsigned *)a, (struct timespec *)b), (W(message_buffer, number < 0 ? 0 : 5), W(a, number < 0 ? 0 : 4), R(b, 16)))
#define ATTRIBUTES sizeof(struct mq_attr)
ROW(mq_getattr, open_queue(0), number = mq_getattr(posix_queue, (struct mq_attr *)a), W(a, number < 0 ? 0 : ATTRIBUTES))
ROW(mq_setattr, (open_queue(0), fill(a, 0, ATTRIBUTES)), number = mq_setattr(posix_queue, (struct mq_attr *)a, (struct mq_attr *)b), (R(a, ATTRIBUTES), W(b, number < 0 ? 0 : ATTRIBUTES)))
ROW(mq_notify, (open_queue(0), bytes(a, &(struct sigevent){.sigev_notify = SIGEV_NONE}, sizeof(struct sigevent))), number = mq_notify(posix_queue, (struct sigevent *)a), R(a, sizeof(struct sigevent)))

MAIN
