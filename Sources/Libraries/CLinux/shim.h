// What Linux has beyond POSIX and the Glibc module does not show.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

/// Who is at the other end of a Unix socket (SO_PEERCRED), as Swift cannot see `struct ucred`.
static inline int clinux_peer(int descriptor, uid_t *user, pid_t *process) {
  struct { pid_t pid; uid_t uid; gid_t gid; } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *user = peer.uid;
  *process = peer.pid;
  return 0;
}

/// A descriptor that becomes ready when a process ends (pidfd_open(2)), which is variadic to Swift.
#include <sys/syscall.h>
#include <unistd.h>
static inline int clinux_pidfd_open(pid_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0u);
}

/// Bounds the address space of a process, in bytes (prlimit(2), which glibc shows to GNU sources alone).
static inline int clinux_limit_memory(pid_t process, unsigned long long bytes) {
  struct { unsigned long long soft, hard; } limit = { bytes, bytes };
  // 9 is RLIMIT_AS.
  return (int)syscall(SYS_prlimit64, process, 9, &limit, (void *)0);
}

/// accept4(2), which glibc shows to GNU sources alone.
static inline int clinux_accept(int listener) {
  int peer = (int)syscall(SYS_accept4, listener, (void *)0, (void *)0, SOCK_CLOEXEC);
  return peer;
}

/// Names the thread that calls it (prctl(2), which is variadic to Swift). The system keeps 15 bytes.
#include <sys/prctl.h>
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

/// Lets a program that is spawned have no descriptor from `first` on, which glibc shows to GNU sources alone.
extern int clinux_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");
