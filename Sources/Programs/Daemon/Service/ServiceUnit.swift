import CFencepostLinux

/// The systemd user unit of the daemon (systemd.service(5)).
public struct ServiceUnit: Hashable, Sendable {
  /// Its name.
  public static let name = "fencepost.service"

  /// The absolute path of the program.
  public var program: String
  /// The arguments after `daemon`.
  public var arguments: [String]
  /// The absolute paths of folders outside the home directory that it must be able to write to.
  public var writableFolders: [String]

  /// A unit that runs `program`.
  public init(program: String, arguments: [String] = [], writableFolders: [String] = []) {
    self.program = program
    self.arguments = arguments
    self.writableFolders = writableFolders
  }

  /// The text of the unit.
  public var text: String {
    let command = ([program, "daemon"] + arguments).map(Self.quoted).joined(separator: " ")
    // The hyphen allows a missing folder.
    let folders = ["-%h", "-%t", "-/tmp", "-/var/tmp"] + writableFolders.map { Self.quoted("-" + $0) }
    return """
      [Unit]
      Description=Alarms at places and times
      Documentation=man:fencepost(1)
      # In guarded mode the system's unit fencepost@.service runs the daemon.
      ConditionPathExists=!/var/lib/fencepost/%U/state

      [Service]
      Type=notify
      ExecStart=\(command)
      ExecReload=/bin/kill -HUP $MAINPID
      # A missing store may appear later, but invalid settings (exit status 2) stay invalid.
      Restart=on-failure
      RestartSec=10
      RestartPreventExitStatus=2
      WatchdogSec=5min
      # The first start with very many alarms may take long.
      TimeoutStartSec=infinity
      # Channels have five seconds at the end; a slow disk may need longer for the store.
      TimeoutStopSec=30

      # It may write in the home directory, use the network and D-Bus, and read receivers. Programs that it starts (exec:)
      # have the same limits. A program that changes its user, such as a mail server's sendmail, needs changes of
      # NoNewPrivileges, RestrictSUIDSGID and the lines below them with `systemctl --user edit`.
      ProtectSystem=strict
      ReadWritePaths=\(folders.joined(separator: " "))
      NoNewPrivileges=yes
      RestrictSUIDSGID=yes
      RestrictNamespaces=yes
      RestrictRealtime=yes
      RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
      LockPersonality=yes
      SystemCallArchitectures=native
      SystemCallFilter=@system-service
      SystemCallErrorNumber=EPERM
      UMask=0077
      # A user service has no capabilities to lose, but a kernel without user namespaces for users can't start it with
      # the next two lines: remove them there with `systemctl --user edit --full`.
      PrivateUsers=yes
      CapabilityBoundingSet=
      ProtectKernelTunables=yes
      ProtectKernelModules=yes
      ProtectKernelLogs=yes
      ProtectControlGroups=yes

      [Install]
      WantedBy=default.target

      """
  }

  /// Quotes a word for a command line or a list of paths, so that systemd uses it unchanged.
  private static func quoted(_ word: String) -> String {
    var text = ""
    var isPlain = !word.isEmpty
    for character in word.unicodeScalars {
      switch character {
      case "%": text += "%%"
      case "$": text += "$$"
      case "\"", "\\":
        text += "\\" + String(character)
        isPlain = false
      case "\n":
        text += "\\n"
        isPlain = false
      case " ", "\t", "'", ";":
        text.unicodeScalars.append(character)
        isPlain = false
      default: text.unicodeScalars.append(character)
      }
    }
    return isPlain ? text : "\"\(text)\""
  }
}
