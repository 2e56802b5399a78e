// swift-tools-version: 6.3
import PackageDescription

// One target a room, imports only downwards; ARCHITECTURE.md draws the house and gives the reason for
// each arrow. A room's dependencies stand here in full, so an import that is not listed is an error
// (`.ci/run` builds with --explicit-target-dependency-import-check error).

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room of the house and the rooms below it that it may use.
func room(_ name: String, uses below: [String] = [], resources: [Resource]? = nil) -> Target {
  .target(
    name: name, dependencies: below.map { .byName(name: $0) }, exclude: ["README.md"],
    resources: resources, swiftSettings: settings)
}

/// The tests of one room, with what they use beside it.
func tests(
  _ name: String, uses extra: [String] = [], excluding: [String] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: ([name, "TestSupport"] + extra).map { .byName(name: $0) },
    exclude: excluding, resources: resources, swiftSettings: settings)
}

/// A C library from Debian, found by pkg-config.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "fencepost",
  products: [
    .executable(name: "fencepost", targets: ["fencepost"]),
    // What an app depends on that says `import EventKit`.
    .library(name: "EventKit", targets: ["EventKit", "CoreLocation", "CoreGraphics"]),
    // The rooms that stand on their own, for Benchmarks/, Fuzz/ and for programs that want one of them.
    .library(
      name: "FencepostRooms",
      targets: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Cartography", "CoreLocation", "Geodesy",
        "Geofencing",
        "ICalendar", "Interchange", "PositionFeeds", "Recurrence", "Reservations", "Spatiotemporal",
      ]),
  ],
  targets: [
    // C libraries
    library("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-gnutls-dev"),
    .systemLibrary(name: "CLinux"),
    library("CGMime", pkgConfig: "gmime-3.0", apt: "libgmime-3.0-dev"),
    library("CLibical", pkgConfig: "libical", apt: "libical-dev"),
    library("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
    library("CNettle", pkgConfig: "nettle", apt: "nettle-dev"),
    library("CProj", pkgConfig: "proj", apt: "libproj-dev"),
    library("CSpatiaLite", pkgConfig: "spatialite", apt: "libspatialite-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),

    // The ground floor
    room("Algorithms"),
    room("CommandLineTable"),
    room("Geodesy", uses: ["CProj"]),
    room("CoreLocation", uses: ["Configuration", "Geocoding", "Geodesy"]),
    room("Spatiotemporal", uses: ["Geodesy"]),
    room("CalendarModel", uses: ["Geodesy", "Spatiotemporal"]),
    room("GraphicsTypes"),
    room("System", uses: ["Spatiotemporal", "CLinux"]),
    room("JSON", uses: ["Algorithms", "Spatiotemporal"]),
    room("Configuration", uses: ["JSON"]),
    room("CoreGraphics", uses: ["GraphicsTypes"]),

    // Pure rooms
    room("Recurrence", uses: ["Algorithms", "CalendarModel"]),
    room("Phrases", uses: ["CalendarModel", "Recurrence"]),
    room("Geofencing", uses: ["Geodesy", "Spatiotemporal"]),
    room(
      "Cartography", uses: ["Algorithms", "Geodesy", "JSON", "Spatiotemporal"],
      resources: ["page.css", "map.js", "drawing.js", "controls.js"].map { .embedInCode("Page/\($0)") }),

    // Rooms that wrap a library
    room("Cryptography", uses: ["CCrypt", "CNettle"]),
    room("WebClient", uses: ["CCurl"]),
    room("WebServer", uses: ["System", "CLinux", "CMicroHTTPD"]),
    room("Geocoding", uses: ["Geodesy", "WebClient"]),
    room(
      "PositionFeeds",
      uses: ["Algorithms", "Geodesy", "JSON", "Spatiotemporal", "System", "CArchive", "CLibXML2", "CZlib"]),
    room("ICalendar", uses: ["CalendarModel", "Geodesy", "Recurrence"]),
    room(
      "Reservations",
      uses: [
        "Algorithms", "CalendarModel", "Geodesy", "ICalendar", "JSON", "Recurrence", "Spatiotemporal",
        "CArchive", "CGMime", "CLibXML2",
      ],
      resources: [.embedInCode("Places/airports.csv")]),
    room(
      "CalendarStore",
      uses: ["CalendarModel", "Geodesy", "JSON", "Recurrence", "System", "CProj", "CSQLite", "CSpatiaLite"]),

    // Files and addresses of other programs, and the store
    room(
      "Interchange",
      uses: [
        "CalendarModel", "CalendarStore", "Geodesy", "ICalendar", "JSON", "Recurrence", "Reservations",
        "System",
        "WebClient",
      ]),

    // Who may do what over the network
    room("Clients", uses: ["CalendarModel", "CalendarStore", "Cryptography", "System", "WebServer"]),

    // The engine
    room(
      "AlarmEngine",
      uses: [
        "Algorithms", "CalendarModel", "CalendarStore", "Geodesy", "Geofencing", "JSON", "Recurrence",
        "System",
      ]),

    // Items as programs see and change them
    room(
      "Items",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Geodesy", "ICalendar", "JSON", "Phrases",
        "Recurrence",
      ]),

    // Apple's API
    room(
      "EventKit",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Configuration", "CoreLocation", "Geodesy",
        "Geofencing", "GraphicsTypes", "JSON", "Phrases", "Recurrence", "System",
      ]),

    // The web app: pages and API
    room(
      "WebApp",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Clients", "Geocoding", "Geodesy", "Geofencing",
        "Items",
        "JSON", "Phrases", "Recurrence", "WebServer", "CZlib",
      ],
      resources: [
        "agenda.js",
        "alarms.js",
        "api.js",
        "app.css",
        "app.js",
        "clients.js",
        "conflict.js",
        "day.js",
        "de.json",
        "dialogs.js",
        "dom.js",
        "editor-fields.js",
        "editor-parts.js",
        "editor.js",
        "fence-editor.js",
        "i18n.js",
        "icon-192.png",
        "icon-512.png",
        "icon-maskable.png",
        "icon.svg",
        "index.html",
        "keys.js",
        "lists.js",
        "log.js",
        "manifest.webmanifest",
        "map-paint.js",
        "map.js",
        "now.js",
        "offline.js",
        "phone.js",
        "place-picker.js",
        "places.js",
        "position.js",
        "quick.js",
        "repeat.js",
        "router.js",
        "rows.js",
        "settings.js",
        "signin.html",
        "state.js",
        "sw.js",
        "time.js",
        "toast.js",
        "when.js",
      ].map { .embedInCode("Pages/\($0)") }),

    // The daemon
    room(
      "FencepostDaemon",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Clients", "Cryptography", "Geodesy", "Geofencing",
        "Interchange", "JSON", "PositionFeeds", "Recurrence", "System", "WebApp", "WebClient", "WebServer",
        "CLinux", "CMosquitto", "CSystemd",
      ]),

    // The command
    .executableTarget(
      name: "fencepost",
      dependencies: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Cartography", "Clients", "CommandLineTable",
        "Configuration",
        "FencepostDaemon", "Geocoding", "Geodesy", "Geofencing", "ICalendar", "Interchange", "Items",
        "JSON", "Phrases", "PositionFeeds", "Recurrence", "Reservations", "System", "WebApp", "WebClient",
        "WebServer",
      ],
      exclude: ["README.md"],
      swiftSettings: settings),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["CalendarModel", "Geodesy"], path: "Tests/TestSupport",
      swiftSettings: settings),
    tests("Algorithms"),
    tests("JSON", uses: ["Spatiotemporal"]),
    tests("CommandLineTable", excluding: ["Snapshots"]),
    tests("Geodesy", uses: ["CProj"]),
    tests("CoreLocation", uses: ["Geocoding", "Geodesy"]),
    tests("Geocoding", uses: ["Geodesy"]),
    tests("Spatiotemporal", uses: ["Geodesy"]),
    tests("CalendarModel", uses: ["Geodesy"]),
    tests("System", uses: ["Spatiotemporal", "CLinux"]),
    tests("Configuration"),
    tests("GraphicsTypes"),
    tests("WebClient"),
    tests("Cryptography"),
    tests("WebServer", uses: ["System"]),
    tests("Recurrence", uses: ["CalendarModel"], excluding: ["Oracle"]),
    tests("Phrases", uses: ["CalendarModel", "Recurrence"]),
    tests("Geofencing", uses: ["Geodesy", "Spatiotemporal"]),
    tests("Cartography", uses: ["Algorithms", "Geodesy", "Spatiotemporal"], excluding: ["Snapshots"]),
    tests("PositionFeeds", uses: ["Geodesy", "JSON", "Spatiotemporal"]),
    tests(
      "ICalendar", uses: ["CLibical", "CalendarModel", "Geodesy", "Recurrence"],
      resources: [.copy("Corpus")]),
    tests(
      "Reservations", uses: ["CalendarModel", "Geodesy", "ICalendar", "JSON", "Recurrence", "Spatiotemporal"]),
    tests("CalendarStore", uses: ["CSQLite", "CalendarModel", "Geodesy", "Recurrence"]),
    tests(
      "WebApp", uses: ["CalendarModel", "CalendarStore", "Clients", "JSON", "Recurrence", "WebServer"]),
    tests("Clients", uses: ["CalendarModel", "CalendarStore", "WebServer"]),
    tests(
      "Interchange",
      uses: ["CalendarModel", "CalendarStore", "ICalendar", "Recurrence", "Reservations", "System"]),
    tests(
      "AlarmEngine",
      uses: ["CalendarModel", "CalendarStore", "Geodesy", "Geofencing", "PositionFeeds", "Recurrence"]),
    tests(
      "FencepostDaemon",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Geodesy", "Geofencing", "Interchange",
        "PositionFeeds",
        "Recurrence", "System", "WebServer", "CLinux", "CSystemd", "fencepost",
      ]),
    tests(
      "EventKit",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "CoreLocation", "EventKitTestPeer", "Geodesy",
        "Recurrence",
      ]),
    // Another process for the tests of EventKit, and programs as apps write them.
    .executableTarget(
      name: "EventKitTestPeer", dependencies: ["EventKit"], path: "Tests/EventKitTestPeer",
      swiftSettings: settings),
    .testTarget(
      name: "ProgramsTests", dependencies: ["CoreGraphics", "CoreLocation", "EventKit"],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    tests(
      "fencepost",
      uses: [
        "CalendarModel", "CalendarStore", "CommandLineTable", "Geodesy", "Phrases", "PositionFeeds",
        "Spatiotemporal",
      ],
      excluding: ["Snapshots"]),
  ]
)
