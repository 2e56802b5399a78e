import FencepostConfiguration

/// The files of guarded mode that a package installs: systemd's units of a person, whose number is their
/// instance, and the group.
public struct GuardUnits: Hashable, Sendable {
  /// The absolute path of the program.
  public var program: String

  /// The files for a program.
  public init(program: String) { self.program = program }

  /// The names below `lib`, and the contents.
  public var files: [(name: String, text: String)] {
    [
      ("systemd/system/fencepost@.socket", socket), ("systemd/system/fencepost@.service", service),
      ("sysusers.d/fencepost.conf", users),
    ]
  }

  private var socket: String {
    """
    [Unit]
    Description=Guarded calendar of user %i, for apps
    Documentation=man:fencepost-guard(1)

    [Socket]
    ListenStream=/run/fencepost/%i/store.sock
    SocketUser=%i
    SocketMode=0600
    DirectoryMode=0755
    RemoveOnStop=yes

    [Install]
    WantedBy=sockets.target

    """
  }

  private var service: String {
    """
    [Unit]
    Description=Alarms at places and times, over the guarded calendar of user %i
    Documentation=man:fencepost-guard(1)
    Requires=fencepost@%i.socket
    After=fencepost@%i.socket
    ConditionPathExists=/var/lib/fencepost/%i/state

    [Service]
    Type=notify
    ExecStart=\(program) daemon
    ExecReload=/bin/kill -HUP $MAINPID
    User=%i
    # The group that passes the gate of the store. Programs that the daemon starts (exec:) have it too.
    SupplementaryGroups=\(GuardedStore.group)
    Environment=XDG_RUNTIME_DIR=/run/user/%i DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/%i/bus
    Restart=on-failure
    RestartSec=10
    RestartPreventExitStatus=2
    WatchdogSec=5min
    TimeoutStartSec=infinity
    TimeoutStopSec=30

    ProtectSystem=strict
    ReadWritePaths=/var/lib/fencepost/%i -/home -/run/user/%i -/tmp -/var/tmp
    # It sees no processes of others, and nobody else's calendar.
    ProtectProc=invisible
    NoNewPrivileges=yes
    CapabilityBoundingSet=
    RestrictSUIDSGID=yes
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
    LockPersonality=yes
    ProtectKernelTunables=yes
    ProtectKernelModules=yes
    ProtectKernelLogs=yes
    ProtectControlGroups=yes
    ProtectClock=yes
    ProtectHostname=yes
    RemoveIPC=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged @resources
    SystemCallErrorNumber=EPERM
    UMask=0077

    [Install]
    WantedBy=multi-user.target

    """
  }

  private var users: String {
    """
    # The group of the program fencepost in guarded mode (fencepost-guard(1)).
    g \(GuardedStore.group) -

    """
  }
}
