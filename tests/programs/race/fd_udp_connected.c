// A datagram orders nothing that comes after its sending.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int server, client, answered;

static void *work(void *unused) {
    char got;
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    CHECK(recvfrom(server, &got, 1, 0, (struct sockaddr *)&from, &length) == 1);
    CHECK(sendto(server, "y", 1, 0, (struct sockaddr *)&from, length) == 1);
    shared = 2;
    invisible_signal(&answered);
    return unused;
}

int main(void) {
    char got;
    pthread_t thread;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    server = socket(AF_INET, SOCK_DGRAM, 0);
    client = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK(bind(server, (struct sockaddr *)&address, length) == 0);
    CHECK(getsockname(server, (struct sockaddr *)&address, &length) == 0);
    CHECK(connect(client, (struct sockaddr *)&address, length) == 0);
    pthread_create(&thread, 0, work, 0);
    shared = 1;
    CHECK(send(client, "x", 1, 0) == 1);
    invisible_wait(&answered, 1);
    CHECK(recv(client, &got, 1, 0) == 1);
    shared = 3;
    pthread_join(thread, 0);
    return 0;
}
