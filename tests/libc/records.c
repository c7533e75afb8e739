// Users, groups, hosts, services, protocols, networks. Their records refer to strings, which are written with them; a row names
// the record, and the one string that every record has.
#include "rows.h"

#include <grp.h>
#include <ifaddrs.h>
#include <mntent.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <pwd.h>
#include <shadow.h>

INVISIBLE void S(const char *text) { W(text, text ? strlen(text) + 1 : 0); }
INVISIBLE void list(char **items, int bytes) {
    int count = 0;
    for (; items && items[count]; count++) W(items[count], bytes ? bytes : strlen(items[count]) + 1);
    if (items) W(items, (count + 1) * 8);
}
INVISIBLE void user(struct passwd *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->pw_name), S(of->pw_passwd), S(of->pw_gecos), S(of->pw_dir), S(of->pw_shell);
}
INVISIBLE void group(struct group *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->gr_name), S(of->gr_passwd), list(of->gr_mem, 0);
}
INVISIBLE void shadow(struct spwd *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->sp_namp), S(of->sp_pwdp);
}
INVISIBLE void host(struct hostent *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->h_name), list(of->h_aliases, 0), list(of->h_addr_list, of->h_length);
}
INVISIBLE void service(struct servent *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->s_name), S(of->s_proto), list(of->s_aliases, 0);
}
INVISIBLE void protocol(struct protoent *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->p_name), list(of->p_aliases, 0);
}
INVISIBLE void network(struct netent *of) {
    if (!of) return;
    W(of, sizeof *of), S(of->n_name), list(of->n_aliases, 0);
}
static char buffer[8192];
static FILE *stream;
INVISIBLE FILE *file(const char *content) {
    FILE *stream = tmpfile();
    fputs(content, stream);
    rewind(stream);
    return stream;
}
#define RESULT(type) (*(type **)c)

#define ROOT text(a, "root")
#define ADDRESS integer(a, 0x0100007f)
#define LOCAL text(a, "localhost")
ROW(getpwnam, ROOT, got = getpwnam(a), (R(a, 5), user(got)))
ROW(getpwnam_V_missing, text(a, "nobody at all"), got = getpwnam(a), R(a, 14))
ROW(getpwuid, NOTHING, got = getpwuid(0), user(got))
ROW(getpwent, setpwent(), got = getpwent(), user(got))
ROW(getgrnam, ROOT, got = getgrnam(a), (R(a, 5), group(got)))
ROW(getgrgid, NOTHING, got = getgrgid(0), group(got))
ROW(getgrent, setgrent(), got = getgrent(), group(got))
ROW(getspnam, ROOT, got = getspnam(a), (R(a, 5), shadow(got)))
ROW(getspent, setspent(), got = getspent(), shadow(got))
ROW(fgetpwent, stream = file("a:b:1:2:c:d:e\n"), got = fgetpwent(stream), (R(stream, 1), user(got)))
ROW(fgetgrent, stream = file("a:b:1:c,d\n"), got = fgetgrent(stream), (R(stream, 1), group(got)))
ROW(gethostbyname, LOCAL, got = gethostbyname(a), (R(a, 10), host(got)))
ROW(gethostbyname2, LOCAL, got = gethostbyname2(a, AF_INET), (R(a, 10), host(got)))
ROW(gethostbyaddr, ADDRESS, got = gethostbyaddr(a, 4, AF_INET), (R(a, 4), host(got)))
ROW(gethostent, sethostent(0), got = gethostent(), host(got))
ROW(getservbyname, (text(a, "http"), text(b, "tcp")), got = getservbyname(a, b), (R(a, 5), R(b, 4), service(got)))
ROW(getservbyport, text(b, "tcp"), got = getservbyport(htons(80), b), (R(b, 4), service(got)))
ROW(getservent, setservent(0), got = getservent(), service(got))
ROW(getprotobyname, text(a, "tcp"), got = getprotobyname(a), (R(a, 4), protocol(got)))
ROW(getprotobynumber, NOTHING, got = getprotobynumber(6), protocol(got))
ROW(getprotoent, setprotoent(0), got = getprotoent(), protocol(got))
ROW(getnetbyname, text(a, "loopback"), got = getnetbyname(a), (R(a, 9), network(got)))
ROW(getnetbyaddr, NOTHING, got = getnetbyaddr(127 << 24, AF_INET), network(got))
ROW(getnetent, setnetent(0), got = getnetent(), network(got))

#define BUFFER buffer, sizeof buffer
#define P(type) ((struct type *)b), BUFFER, (struct type **)c
ROW(getpwnam_r, ROOT, number = getpwnam_r(a, P(passwd)), (R(a, 5), W(c, 8), user(RESULT(struct passwd))))
ROW(getpwnam_r_V_missing, text(a, "nobody at all"), number = getpwnam_r(a, P(passwd)), (R(a, 14), W(c, 8)))
ROW(getpwuid_r, NOTHING, number = getpwuid_r(0, P(passwd)), (W(c, 8), user(RESULT(struct passwd))))
ROW(getpwent_r, setpwent(), number = getpwent_r(P(passwd)), (W(c, 8), user(RESULT(struct passwd))))
ROW(fgetpwent_r, stream = file("a:b:1:2:c:d:e\n"), number = fgetpwent_r(stream, P(passwd)), (R(stream, 1), W(c, 8), user(RESULT(struct passwd))))
ROW(getgrnam_r, ROOT, number = getgrnam_r(a, P(group)), (R(a, 5), W(c, 8), group(RESULT(struct group))))
ROW(getgrgid_r, NOTHING, number = getgrgid_r(0, P(group)), (W(c, 8), group(RESULT(struct group))))
ROW(getgrent_r, setgrent(), number = getgrent_r(P(group)), (W(c, 8), group(RESULT(struct group))))
ROW(fgetgrent_r, stream = file("a:b:1:c,d\n"), number = fgetgrent_r(stream, P(group)), (R(stream, 1), W(c, 8), group(RESULT(struct group))))
ROW(getspnam_r, ROOT, number = getspnam_r(a, P(spwd)), (R(a, 5), W(c, 8), shadow(number ? 0 : RESULT(struct spwd))))
ROW(getspent_r, setspent(), number = getspent_r(P(spwd)), (W(c, 8), shadow(number ? 0 : RESULT(struct spwd))))
#define H(number) (W(c, 8), W(d, (number) != 0 || !RESULT(void) ? 4 : 0))
ROW(gethostbyname_r, LOCAL, number = gethostbyname_r(a, P(hostent), (int *)d), (R(a, 10), H(number), host(RESULT(struct hostent))))
ROW(gethostbyname2_r, LOCAL, number = gethostbyname2_r(a, AF_INET, P(hostent), (int *)d), (R(a, 10), H(number), host(RESULT(struct hostent))))
ROW(gethostbyaddr_r, ADDRESS, number = gethostbyaddr_r(a, 4, AF_INET, P(hostent), (int *)d), (R(a, 4), H(number), host(RESULT(struct hostent))))
ROW(gethostent_r, sethostent(0), number = gethostent_r(P(hostent), (int *)d), (H(number), host(RESULT(struct hostent))))
ROW(getservbyname_r, (text(a, "http"), text(d, "tcp")), number = getservbyname_r(a, d, P(servent)), (R(a, 5), R(d, 4), W(c, 8), service(RESULT(struct servent))))
ROW(getservbyport_r, text(d, "tcp"), number = getservbyport_r(htons(80), d, P(servent)), (R(d, 4), W(c, 8), service(RESULT(struct servent))))
ROW(getservent_r, setservent(0), number = getservent_r(P(servent)), (W(c, 8), service(number ? 0 : RESULT(struct servent))))
ROW(getprotobyname_r, text(a, "tcp"), number = getprotobyname_r(a, P(protoent)), (R(a, 4), W(c, 8), protocol(RESULT(struct protoent))))
ROW(getprotobynumber_r, NOTHING, number = getprotobynumber_r(6, P(protoent)), (W(c, 8), protocol(RESULT(struct protoent))))
ROW(getprotoent_r, setprotoent(0), number = getprotoent_r(P(protoent)), (W(c, 8), protocol(number ? 0 : RESULT(struct protoent))))
ROW(getnetbyname_r, text(a, "loopback"), number = getnetbyname_r(a, P(netent), (int *)d), (R(a, 9), H(number), network(RESULT(struct netent))))
ROW(getnetbyaddr_r, NOTHING, number = getnetbyaddr_r(127 << 24, AF_INET, P(netent), (int *)d), (H(number), network(RESULT(struct netent))))
ROW(getnetent_r, setnetent(0), number = getnetent_r(P(netent), (int *)d), (H(number), network(number ? 0 : RESULT(struct netent))))

INVISIBLE void addresses(struct addrinfo *at) {
    for (; at; at = at->ai_next) W(at, sizeof *at), W(at->ai_addr, at->ai_addrlen), S(at->ai_canonname);
}
INVISIBLE void interfaces(struct ifaddrs *at) {
    for (; at; at = at->ifa_next) W(at, sizeof *at), S(at->ifa_name);
}
#define HINTS bytes(d, &(struct addrinfo){.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, sizeof(struct addrinfo))
ROW(getaddrinfo, (text(a, "127.0.0.1"), text(b, "80"), HINTS), number = getaddrinfo(a, b, (struct addrinfo *)d, (struct addrinfo **)c), (R(a, 10), R(b, 3), R(d, sizeof(struct addrinfo)), W(c, 8), addresses(RESULT(struct addrinfo))))
ROW(getnameinfo, bytes(a, &(struct sockaddr_in){AF_INET, 0x5000}, 16), number = getnameinfo((struct sockaddr *)a, 16, b, 60, c, 60, NI_NUMERICHOST | NI_NUMERICSERV), (R(a, 16), W(b, 8), W(c, 3)))
ROW(getifaddrs, NOTHING, number = getifaddrs((struct ifaddrs **)c), (W(c, 8), interfaces(RESULT(struct ifaddrs))))
ROW(getgrouplist, (ROOT, integer(c, 50)), number = getgrouplist(a, 0, (gid_t *)b, (int *)c), (R(a, 5), W(b, 4 * *(int *)c), W(c, 4)))
ROW(innetgr, (ROOT, text(b, "host")), number = innetgr(a, b, 0, 0), (R(a, 5), R(b, 5)))
ROW(if_nametoindex, text(a, "lo"), number = if_nametoindex(a), R(a, 3))
ROW(if_indextoname, NOTHING, got = if_indextoname(1, a), S(got))
ROW(inet_addr, text(a, "127.0.0.1"), number = inet_addr(a), R(a, 10))
ROW(inet_network, text(a, "127.0.0.1"), number = inet_network(a), R(a, 10))
ROW(ether_aton_r, text(a, "1:2:3:4:5:6"), got = ether_aton_r(a, (struct ether_addr *)b), (R(a, 12), W(b, 6)))
ROW(ether_aton, text(a, "1:2:3:4:5:6"), got = ether_aton(a), (R(a, 12), W(got, 6)))
ROW(ether_ntoa_r, fill(a, 0, 6), got = ether_ntoa_r((struct ether_addr *)a, b), (R(a, 6), W(b, 12)))
ROW(ether_ntoa, fill(a, 0, 6), got = ether_ntoa((struct ether_addr *)a), (R(a, 6), W(got, 12)))
ROW(setmntent, (text(a, "/dev/null"), text(b, "r")), got = setmntent(a, b), (R(a, 10), R(b, 2)))
static char option[] = "rw,size=5";
INVISIBLE void mount(struct mntent *of) { W(of, sizeof *of), S(of->mnt_fsname), S(of->mnt_dir), S(of->mnt_type), S(of->mnt_opts); }
ROW(getmntent, stream = file("a b c d 0 0\n"), got = getmntent(stream), (R(stream, 1), mount(got)))
ROW(getmntent_r, stream = file("a b c d 0 0\n"), got = getmntent_r(stream, (struct mntent *)a, BUFFER), (R(stream, 1), mount(got)))
ROW(hasmntopt, (bytes(a, &(struct mntent){.mnt_opts = option}, sizeof(struct mntent)), text(b, "size")), got = hasmntopt((struct mntent *)a, b), (R(a, sizeof(struct mntent)), R(option, 10), R(b, 5)))

MAIN
