import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostChannels

@Suite("Which program shows a desktop's dialogs")
struct PortalBackendTests {
  private static let access = "org.freedesktop.impl.portal.Access"

  /// The service for a desktop with two programs, and these settings.
  private func service(_ desktop: String, _ settings: [String: String] = [:]) throws -> String? {
    let directory = try TemporaryDirectory()
    for folder in ["data/xdg-desktop-portal/portals", "etc/xdg-desktop-portal"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(folder), withIntermediateDirectories: true)
    }
    for (name, uses) in [("gnome", "UseIn=gnome"), ("gtk", "UseIn=mate")] {
      try directory.write(
        "# Made here\n[portal]\nDBusName = test.\(name)\nInterfaces=\(Self.access);a.b;\n\(uses)\n",
        to: "data/xdg-desktop-portal/portals/\(name).portal")
    }
    try directory.write("[portal]\nDBusName=test.none\n", to: "data/xdg-desktop-portal/portals/z.portal")
    for (name, text) in settings { try directory.write(text, to: "etc/xdg-desktop-portal/\(name)") }
    return PortalBackends(environment: [
      "HOME": directory.path("home"), "XDG_DATA_DIRS": directory.path("data") + ":relative",
      "XDG_CONFIG_DIRS": directory.path("etc"), "XDG_CURRENT_DESKTOP": desktop,
    ]).service(for: Self.access)
  }

  @Test(
    "Without settings the desktop's own, else GTK's",
    arguments: [
      ("GNOME", "test.gnome"), ("Budgie:GNOME", "test.gnome"), ("MATE", "test.gtk"), ("", "test.gtk"),
    ])
  func desktops(desktop: String, expected: String) throws {
    #expect(try service(desktop) == expected)
  }

  @Test(
    "Settings choose",
    arguments: [
      ("default=gtk;", "test.gtk"), ("default=*", "test.gnome"), ("default=none", nil),
      ("default=gnome\n\(access)=missing;gtk", "test.gtk"), ("default=missing", "test.gnome"),
    ] as [(String, String?)])
  func settings(line: String, expected: String?) throws {
    #expect(try service("GNOME", ["portals.conf": "[preferred]\n\(line)\n"]) == expected)
    // That of the desktop comes first.
    #expect(
      try service(
        "GNOME", ["gnome-portals.conf": "[preferred]\n\(line)\n", "portals.conf": "[preferred]\ndefault=gtk"])
        == expected)
  }

  @Test("Without any, there is none")
  func none() {
    #expect(
      PortalBackends(environment: ["XDG_DESKTOP_PORTAL_DIR": "/nowhere"]).service(for: Self.access) == nil)
  }
}
