// libsystemd: D-Bus and the service manager's notifications.
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
