// libsystemd: D-Bus and the service manager's notifications.

// The headers of events that sd-bus.h includes are CLinux's: a type that two modules define belongs to whichever the
// compiler saw first.
#define _SYS_EPOLL_H 1
#define _SYS_INOTIFY_H 1
#define _SYS_SIGNALFD_H 1
struct inotify_event;
struct signalfd_siginfo;
#include <systemd/sd-bus.h>
#undef _SYS_EPOLL_H
#undef _SYS_INOTIFY_H
#undef _SYS_SIGNALFD_H

#include <systemd/sd-daemon.h>
