import CLinux

/// The systemd user unit of the daemon (systemd.service(5)).
public struct ServiceUnit: Hashable, Sendable {
  /// Its name.
  public static let name = "fencepost.service"

  /// The program, by its whole path.
  public var program: String
  /// What follows `daemon` on its command line.
  public var arguments: [String]
  /// Folders outside of the home directory that it must be able to write to, by their whole paths.
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
    // The hyphen lets one be missing.
    let folders = ["-%h", "-%t", "-/tmp", "-/var/tmp"] + writableFolders.map { Self.quoted("-" + $0) }
    return """
      [Unit]
      Description=Alarms at places and times
      Documentation=man:fencepost(1)

      [Service]
      Type=notify
      ExecStart=\(command)
      ExecReload=/bin/kill -HUP $MAINPID
      # A store that can't be opened may be there later; settings that can't be understood (2) stay so.
      Restart=on-failure
      RestartSec=10
      RestartPreventExitStatus=2
      WatchdogSec=5min
      # A first start over many alarms takes as long as it takes.
      TimeoutStartSec=infinity
      # Channels have five seconds in the end, and the store as long as its disk takes.
      TimeoutStopSec=30

      # What it needs to do: write in the home directory, talk to the network and to D-Bus, read receivers. Programs that
      # it starts (exec:) are held to the same. One that must become another user, as a mail server's sendmail does,
      # needs NoNewPrivileges, RestrictSUIDSGID and the lines below them taken back with `systemctl --user edit`.
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

      [Install]
      WantedBy=default.target

      """
  }

  /// A word of a command line or list of paths, so that systemd takes it as it stands.
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
