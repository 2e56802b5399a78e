import FencepostConfiguration
import FencepostSystem

/// The desktop's programs that show dialogs for portals (portals.conf(5)).
///
/// A file `NAME.portal` for each names its bus name and its interfaces. `portals.conf` chooses between them;
/// older desktops are chosen by `UseIn` in the file.
struct PortalBackends: Sendable {
  /// The folders with files `*.portal`.
  var folders: [String]
  /// The folders that may have a `portals.conf`, in order of precedence.
  var settings: [String]
  /// The names of the desktop, the most precise first (`XDG_CURRENT_DESKTOP`).
  var desktops: [String]

  /// Those of the session in which a process runs, by its environment.
  init(environment: [String: String]) {
    let paths = StandardPaths(environment: environment)
    folders =
      environment["XDG_DESKTOP_PORTAL_DIR"].map { [$0] }
      ?? paths.dataDirectories.map { $0 + "/xdg-desktop-portal/portals" }
    settings = (paths.configurationDirectories + paths.dataDirectories).map { $0 + "/xdg-desktop-portal" }
    desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { $0.lowercased() }
  }

  /// The bus name of the program that implements an interface for this desktop; `nil` if there is none.
  func service(for interface: String) -> String? {
    let portals = portals.filter { $0.interfaces.contains(interface) }
    if let preferred = preferred(for: interface) {
      for name in preferred {
        if name == "none" { return nil }
        if let portal = portals.first(where: { name == "*" || $0.name == name }) { return portal.service }
      }
    }
    for desktop in desktops {
      if let portal = portals.first(where: { $0.desktops.contains(desktop) }) { return portal.service }
    }
    return portals.first { $0.name == "gtk" }?.service
  }

  private struct Portal {
    var name: String
    var service: String
    var interfaces: [String]
    var desktops: [String]
  }

  private var portals: [Portal] {
    folders.flatMap { folder in
      FolderEntry.all(in: folder).filter { !$0.isFolder && $0.name.hasSuffix(".portal") }.compactMap {
        entry in
        let values = Self.values(in: folder + "/" + entry.name, group: "portal")
        guard let service = values["DBusName"]?.first else { return nil }
        return Portal(
          name: String(entry.name.dropLast(".portal".count)), service: service,
          interfaces: values["Interfaces"] ?? [], desktops: (values["UseIn"] ?? []).map { $0.lowercased() })
      }
    }
  }

  /// The names that the first settings file of this desktop prefers; `nil` without one.
  private func preferred(for interface: String) -> [String]? {
    for folder in settings {
      for name in desktops.map({ $0 + "-portals.conf" }) + ["portals.conf"] {
        let values = Self.values(in: folder + "/" + name, group: "preferred")
        if !values.isEmpty { return values[interface] ?? values["default"] }
      }
    }
    return nil
  }

  /// The lists of a group of a key file (Desktop Entry Specification, "Basic format"); empty for no file.
  private static func values(in path: String, group: String) -> [String: [String]] {
    guard let bytes = try? WholeFile.read(path, upTo: 64 << 10) else { return [:] }
    func trimmed(_ text: some StringProtocol) -> String {
      String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
    var values: [String: [String]] = [:]
    var current = ""
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let line = trimmed(line)
      if line.hasPrefix("["), line.hasSuffix("]") {
        current = String(line.dropFirst().dropLast())
      } else if current == group, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        let items = line[line.index(after: equals)...].split(separator: ";").map { trimmed($0) }
        values[trimmed(line[..<equals])] = items.filter { !$0.isEmpty }
      }
    }
    return values
  }
}
