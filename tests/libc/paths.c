// Names of files, and what is known about files.
#include "rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <mqueue.h>
#include <utime.h>

#define STAT sizeof(struct stat)
#define LENGTH(p) (strlen(p) + 1)
ssize_t __readlink_chk(const char *, char *, size_t, size_t), __readlinkat_chk(int, const char *, char *, size_t, size_t);
char *__realpath_chk(const char *, char *, size_t), *__getcwd_chk(char *, size_t, size_t), *__getwd_chk(char *, size_t);
int __xstat(int, const char *, struct stat *), __xstat64(int, const char *, struct stat *);
int __lxstat(int, const char *, struct stat *), __lxstat64(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *), __fxstat64(int, int, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int), __fxstatat64(int, int, const char *, struct stat *, int);

// A path of 9 bytes at which nothing is, so that nothing happens to it.
#define NOWHERE text(a, "/nowhere")
#define ROOT text(a, "/")
#define PATH(name, ...) ROW(name, NOWHERE, number = name(__VA_ARGS__), R(a, 9))
PATH(access, a, R_OK)
PATH(unlink, a)
PATH(rmdir, a)
PATH(chdir, a)
PATH(chmod, a, 0)
PATH(lchmod, a, 0)
PATH(chown, a, 0, 0)
PATH(lchown, a, 0, 0)
PATH(fchmodat, AT_FDCWD, a, 0, 0)
PATH(fchownat, AT_FDCWD, a, 0, 0, 0)
PATH(unlinkat, AT_FDCWD, a, 0)
PATH(faccessat, AT_FDCWD, a, R_OK, 0)
PATH(eaccess, a, R_OK)
PATH(euidaccess, a, R_OK)
PATH(truncate, a, 0)
PATH(truncate64, a, 0)
PATH(chroot, a)
PATH(inotify_add_watch, -1, a, 0)
PATH(shm_unlink, a)
PATH(sem_unlink, a)
PATH(mq_unlink, a)
PATH(swapon, a, 0)
PATH(swapoff, a)
PATH(umount, a)
PATH(umount2, a, 0)
PATH(acct, a)
PATH(ftok, a, 1)
PATH(pathconf, a, _PC_NAME_MAX)
// These would make something.
#define UNMADE text(a, "/nowhere/at/all")
#define MAKES(name, ...) ROW(name, UNMADE, number = name(__VA_ARGS__), R(a, 16))
MAKES(mkdir, a, 0)
MAKES(mkdirat, AT_FDCWD, a, 0)
MAKES(mkfifo, a, 0)
MAKES(mkfifoat, AT_FDCWD, a, 0)
MAKES(mknod, a, S_IFIFO, 0)
MAKES(mknodat, AT_FDCWD, a, S_IFIFO, 0)
#define TWO(name, ...) ROW(name, (NOWHERE, text(b, "/nowhere/at/all")), number = name(__VA_ARGS__), (R(a, 9), R(b, 16)))
TWO(rename, a, b)
TWO(link, a, b)
TWO(symlink, a, b)
TWO(linkat, AT_FDCWD, a, AT_FDCWD, b, 0)
TWO(symlinkat, a, AT_FDCWD, b)
TWO(renameat, AT_FDCWD, a, AT_FDCWD, b)
TWO(renameat2, AT_FDCWD, a, AT_FDCWD, b, 0)

#define ABOUT(name, bytes, ...) ROW(name, ROOT, number = name(__VA_ARGS__), (R(a, 2), W(b, bytes)))
ABOUT(stat, STAT, a, (struct stat *)b)
ABOUT(stat64, STAT, a, (struct stat64 *)b)
ABOUT(lstat, STAT, a, (struct stat *)b)
ABOUT(lstat64, STAT, a, (struct stat64 *)b)
ABOUT(fstatat, STAT, AT_FDCWD, a, (struct stat *)b, 0)
ABOUT(fstatat64, STAT, AT_FDCWD, a, (struct stat64 *)b, 0)
ABOUT(__xstat, STAT, 1, a, (struct stat *)b)
ABOUT(__xstat64, STAT, 1, a, (struct stat *)b)
ABOUT(__lxstat, STAT, 1, a, (struct stat *)b)
ABOUT(__lxstat64, STAT, 1, a, (struct stat *)b)
ABOUT(__fxstatat, STAT, 1, AT_FDCWD, a, (struct stat *)b, 0)
ABOUT(__fxstatat64, STAT, 1, AT_FDCWD, a, (struct stat *)b, 0)
ABOUT(statx, sizeof(struct statx), AT_FDCWD, a, 0, STATX_ALL, (struct statx *)b)
ABOUT(statfs, sizeof(struct statfs), a, (struct statfs *)b)
ABOUT(statfs64, sizeof(struct statfs), a, (struct statfs64 *)b)
ABOUT(statvfs, sizeof(struct statvfs), a, (struct statvfs *)b)
ABOUT(statvfs64, sizeof(struct statvfs), a, (struct statvfs64 *)b)
ROW(stat_V_fails, NOWHERE, number = stat(a, (struct stat *)b), R(a, 9))
#define OPENED(name, bytes, ...) ROW(name, NOTHING, number = name(__VA_ARGS__), W(b, bytes))
OPENED(fstat, STAT, 0, (struct stat *)b)
OPENED(fstat64, STAT, 0, (struct stat64 *)b)
OPENED(__fxstat, STAT, 1, 0, (struct stat *)b)
OPENED(__fxstat64, STAT, 1, 0, (struct stat *)b)
OPENED(fstatfs, sizeof(struct statfs), 0, (struct statfs *)b)
OPENED(fstatfs64, sizeof(struct statfs), 0, (struct statfs64 *)b)
OPENED(fstatvfs, sizeof(struct statvfs), 0, (struct statvfs *)b)
OPENED(fstatvfs64, sizeof(struct statvfs), 0, (struct statvfs64 *)b)

#define LINK text(a, "/proc/self/cwd")
ROW(readlink, LINK, number = readlink(a, b, 200), (R(a, 15), W(b, number)))
ROW(readlinkat, LINK, number = readlinkat(AT_FDCWD, a, b, 200), (R(a, 15), W(b, number)))
ROW(__readlink_chk, LINK, number = __readlink_chk(a, b, 200, 300), (R(a, 15), W(b, number)))
ROW(__readlinkat_chk, LINK, number = __readlinkat_chk(AT_FDCWD, a, b, 200, 300), (R(a, 15), W(b, number)))
static char path[4096];
ROW(realpath, text(a, "/./"), got = realpath(a, path), (R(a, 4), W(path, 2)))
ROW(__realpath_chk, text(a, "/dev/./null"), got = __realpath_chk(a, path + 100, 4096), (R(a, 12), W(path + 100, 10)))
ROW(canonicalize_file_name, text(a, "/./"), got = canonicalize_file_name(a), (R(a, 4), W(got, 2)))
ROW(getcwd, NOTHING, got = getcwd(a, 400), W(a, LENGTH(a)))
ROW(__getcwd_chk, NOTHING, got = __getcwd_chk(a, 400, 420), W(a, LENGTH(a)))
ROW(getwd, NOTHING, got = getwd(path + 200), W(path + 200, LENGTH(path + 200)))
ROW(__getwd_chk, NOTHING, got = __getwd_chk(path + 1200, 2000), W(path + 1200, LENGTH(path + 1200)))
ROW(get_current_dir_name, NOTHING, got = get_current_dir_name(), W(got, LENGTH(got)))

#define TIMES(name, bytes, ...) ROW(name, (NOWHERE, fill(b, 0, bytes)), number = name(__VA_ARGS__), (R(a, 9), R(b, bytes)))
TIMES(utime, sizeof(struct utimbuf), a, (struct utimbuf *)b)
TIMES(utimes, 2 * sizeof(struct timeval), a, (struct timeval *)b)
TIMES(lutimes, 2 * sizeof(struct timeval), a, (struct timeval *)b)
TIMES(futimesat, 2 * sizeof(struct timeval), AT_FDCWD, a, (struct timeval *)b)
TIMES(utimensat, 2 * sizeof(struct timespec), AT_FDCWD, a, (struct timespec *)b, 0)
ROW(futimes, fill(b, 0, 32), number = futimes(-1, (struct timeval *)b), R(b, 32))
ROW(futimens, fill(b, 0, 32), number = futimens(-1, (struct timespec *)b), R(b, 32))

#define NAMED (NOWHERE, text(b, "user.row"))
ROW(getxattr, NAMED, number = getxattr(a, b, c, 20), (R(a, 9), R(b, 9)))
ROW(lgetxattr, NAMED, number = lgetxattr(a, b, c, 20), (R(a, 9), R(b, 9)))
ROW(fgetxattr, NAMED, number = fgetxattr(-1, b, c, 20), R(b, 9))
ROW(setxattr, NAMED, number = setxattr(a, b, c, 20, 0), (R(a, 9), R(b, 9), R(c, 20)))
ROW(lsetxattr, NAMED, number = lsetxattr(a, b, c, 20, 0), (R(a, 9), R(b, 9), R(c, 20)))
ROW(fsetxattr, NAMED, number = fsetxattr(-1, b, c, 20, 0), (R(b, 9), R(c, 20)))
ROW(removexattr, NAMED, number = removexattr(a, b), (R(a, 9), R(b, 9)))
ROW(lremovexattr, NAMED, number = lremovexattr(a, b), (R(a, 9), R(b, 9)))
ROW(fremovexattr, NAMED, number = fremovexattr(-1, b), R(b, 9))
ROW(listxattr, NAMED, number = listxattr(a, c, 20), R(a, 9))
ROW(llistxattr, NAMED, number = llistxattr(a, c, 20), R(a, 9))
ROW(flistxattr, NAMED, number = flistxattr(-1, c, 20), NOTHING)

ROW(stat_V_bad, NOTHING, number = stat(BAD, (struct stat *)b), refused())
ROW(access_V_bad, NOTHING, number = access(BAD, R_OK), refused())
ROW(rename_V_bad, NOWHERE, number = rename(a, BAD), (refused(), R(a, 9)))

ROW(mkdtemp, text(a, "/nowhere/XXXXXX"), got = mkdtemp(a), W(a, 16))
ROW(mktemp, text(a, "/nowhere/XXXXXX"), got = mktemp(a), W(a, 16))
ROW(getdents64, number = open("/", O_RDONLY), number = getdents64(number, a, 200), W(a, number))

MAIN
