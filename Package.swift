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
    .library(
      name: "EventKit",
      targets: ["EventKit", "CoreLocation", "CoreGraphics"]),
    // What an app depends on that says `import EventKitUI`.
    .library(
      name: "EventKitUI",
      targets: ["EventKitUI", "UIKit", "EventKit", "CoreLocation", "CoreGraphics"]),
    // What an app depends on that says `import Intents`, to donate reservations.
    .library(
      name: "Intents",
      targets: ["Intents", "MapKit", "Contacts", "CoreLocation"]),
    // The rooms that stand on their own, for Benchmarks/, Fuzz/ and for programs that want one of them.
    .library(
      name: "FencepostRooms",
      targets: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Cartography", "CoreLocation", "Geodesy",
        "Geofencing", "ICalendar", "Interchange", "Items", "JSON", "PositionFeeds", "Recurrence",
        "Reservations", "Spatiotemporal",
      ]),
  ],
  targets: [
    // C libraries
    library("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-gnutls-dev"),
    .systemLibrary(name: "CLinux"),
    library("CGMime", pkgConfig: "gmime-3.0", apt: "libgmime-3.0-dev"),
    library("CHogweed", pkgConfig: "hogweed", apt: "nettle-dev"),
    library("CLibical", pkgConfig: "libical", apt: "libical-dev"),
    library("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
    library("CNettle", pkgConfig: "nettle", apt: "nettle-dev"),
    library("CPublicSuffix", pkgConfig: "libpsl", apt: "libpsl-dev"),
    library("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
    .systemLibrary(name: "CResolver"),
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
    room("Spatiotemporal", uses: ["Algorithms", "Geodesy"]),
    room("CalendarModel", uses: ["Algorithms", "Geodesy", "Spatiotemporal"]),
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
      "Cartography",
      uses: ["Algorithms", "Geodesy", "JSON", "Spatiotemporal"],
      resources: [
        "page.css", "map.js", "drawing.js", "controls.js",
      ].map { .embedInCode("Page/\($0)") }),

    room("Conferences", uses: ["CalendarModel", "ICalendar", "JSON", "System"]),

    // Rooms that wrap a library
    room("Cryptography", uses: ["CCrypt", "CHogweed", "CNettle"]),
    room("QRCodes", uses: ["CQREncode"]),
    room("WebClient", uses: ["CCurl"]),
    room("WebPush", uses: ["Cryptography", "JSON", "Spatiotemporal", "WebClient"]),
    room("WebServer", uses: ["Algorithms", "System", "CLinux", "CMicroHTTPD"]),
    room(
      "OAuth",
      uses: ["Algorithms", "Cryptography", "JSON", "Spatiotemporal", "System", "WebClient", "WebServer"]),
    room("DaemonControl", uses: ["JSON", "System", "CLinux"]),
    room("Archives", uses: ["CArchive"]),
    room("Geocoding", uses: ["Algorithms", "Geodesy", "WebClient"]),
    room(
      "PositionFeeds",
      uses: [
        "Algorithms", "Archives", "Geodesy", "JSON", "Spatiotemporal", "System", "CLibXML2", "CZlib",
      ]),
    room("CalDAV", uses: ["Algorithms", "CalendarModel", "Recurrence", "CLibXML2"]),
    room("ICalendar", uses: ["CalendarModel", "Geodesy", "Recurrence"]),
    room("Reconciliation", uses: ["Algorithms", "CalendarModel", "ICalendar"]),
    room(
      "Reservations",
      uses: [
        "Algorithms", "Archives", "CalendarModel", "Geodesy", "ICalendar", "JSON", "Recurrence",
        "Spatiotemporal",
        "CGMime", "CLibXML2",
      ],
      resources: [.embedInCode("Places/airports.csv")]),
    room(
      "CalendarStore",
      uses: [
        "CalendarModel", "Geodesy", "JSON", "Recurrence", "System", "CProj", "CSQLite", "CSpatiaLite",
      ]),

    // Files and addresses of other programs, and the store
    room(
      "Interchange",
      uses: [
        "Algorithms", "CalendarModel", "CalendarStore", "Geodesy", "ICalendar", "JSON", "Recurrence",
        "Reservations", "System", "WebClient",
      ]),

    // Servers and folders with the same calendars as the store
    room(
      "CalDAVClient",
      uses: [
        "CalDAV", "CalendarModel", "Reconciliation", "Spatiotemporal", "WebClient", "CPublicSuffix",
        "CResolver",
      ]),
    room(
      "Synchronizer",
      uses: [
        "Algorithms", "CalDAV", "CalDAVClient", "CalendarModel", "CalendarStore", "Cryptography", "ICalendar",
        "Interchange", "JSON", "OAuth", "Reconciliation", "System", "WebPush",
      ]),

    // Who may do what over the network
    room(
      "Clients",
      uses: [
        "Algorithms", "CalendarModel", "CalendarStore", "Cryptography", "DaemonControl", "JSON",
        "System", "WebServer",
      ]),

    // The store as a CalDAV account
    room(
      "CalDAVServer",
      uses: [
        "Algorithms", "CalDAV", "CalendarModel", "CalendarStore", "Clients", "Cryptography",
        "ICalendar", "Interchange", "Reconciliation", "Recurrence", "Spatiotemporal", "WebPush", "WebServer",
      ]),

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
        "AlarmEngine", "Algorithms", "CalendarModel", "CalendarStore", "Geodesy", "ICalendar", "JSON",
        "Phrases", "Recurrence", "Reservations",
      ]),

    // Apple's API
    room(
      "EventKit",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "Configuration", "CoreLocation", "Geodesy",
        "Geofencing", "GraphicsTypes", "JSON", "Phrases", "Recurrence", "System",
      ]),

    room("Contacts", uses: ["CoreLocation", "Geocoding"]),
    room("MapKit", uses: ["Contacts", "CoreLocation", "EventKit", "Geocoding"]),
    room(
      "Intents",
      uses: [
        "CalendarModel", "CalendarStore", "Contacts", "CoreLocation", "EventKit", "Geocoding",
        "Geodesy", "Interchange", "JSON", "Recurrence", "Reservations",
      ]),

    // Apple's view controllers, over pages of the web app
    room("ViewControllers"),
    room("UIKit", uses: ["ViewControllers"]),
    room(
      "EventKitUI",
      uses: [
        "CalendarModel", "DaemonControl", "EventKit", "Items", "JSON", "System", "ViewControllers",
      ]),

    // The web app: pages and API
    room(
      "WebApp",
      uses: [
        "AlarmEngine", "Algorithms", "CalendarModel", "CalendarStore", "Cartography", "Clients",
        "DaemonControl", "Conferences", "Geocoding", "Geodesy", "Geofencing", "Interchange", "Items", "JSON",
        "Phrases",
        "QRCodes", "Recurrence", "WebPush", "Reservations", "WebServer", "CZlib",
      ],
      resources: [
        "agenda.js", "alarms.js", "api.js", "app-page.js", "app.css", "app.js", "clients.js",
        "conflict.js", "conflicts.js", "day.js", "de.json", "dialogs.js", "dom.js", "editor-fields.js",
        "editor-parts.js", "editor.js", "fence-editor.js", "i18n.js", "icon-192.png", "icon-512.png",
        "icon-maskable.png", "icon.svg", "inbox.js", "index.html", "keys.js", "lists.js", "log.js",
        "manifest.webmanifest", "map-paint.js", "map.js", "now.js", "offline.js", "phone.js",
        "place-picker.js", "places.js", "position.js", "push.js", "quick.js", "repeat.js", "router.js",
        "rows.js", "settings.js", "signin.html", "sources.js", "state.js", "sw.js", "time.js",
        "toast.js", "when.js",
      ].map { .embedInCode("Pages/\($0)") }),

    // The daemon
    room(
      "FencepostDaemon",
      uses: [
        "AlarmEngine", "Algorithms", "CalDAVServer", "CalendarModel", "CalendarStore", "Clients",
        "Conferences", "Configuration", "Cryptography", "DaemonControl", "Geodesy", "Geofencing",
        "Interchange", "Items", "JSON", "PositionFeeds", "Recurrence", "Synchronizer", "Reservations",
        "System", "WebApp", "WebClient", "WebPush", "WebServer", "CLinux", "CMosquitto", "CSystemd",
      ]),

    // The command
    .executableTarget(
      name: "fencepost",
      dependencies: [
        "AlarmEngine", "Algorithms", "CalDAVServer", "CalDAVClient", "CalendarModel", "CalendarStore",
        "Cartography", "Clients", "CommandLineTable", "Conferences", "Configuration", "DaemonControl",
        "FencepostDaemon", "Geocoding", "Geodesy", "Geofencing", "ICalendar", "Interchange", "Items",
        "JSON", "OAuth", "Phrases", "PositionFeeds", "QRCodes", "Recurrence", "Reservations", "Synchronizer",
        "System", "WebApp", "WebClient", "WebServer",
      ],
      exclude: ["README.md"],
      swiftSettings: settings),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["CalendarModel", "Cryptography", "Geodesy", "WebPush", "WebServer"],
      path: "Tests/TestSupport",
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
    tests("CalDAV", uses: ["CalendarModel", "Recurrence"]),
    tests("Cryptography"),
    tests("QRCodes"),
    tests("WebPush", uses: ["Cryptography", "Spatiotemporal", "WebServer"]),
    tests("WebServer", uses: ["System", "WebClient"]),
    tests("OAuth", uses: ["JSON", "Spatiotemporal", "WebClient", "WebServer"]),
    tests("Recurrence", uses: ["CalendarModel"], excluding: ["Oracle"]),
    tests("Phrases", uses: ["CalendarModel", "Recurrence"]),
    tests("Geofencing", uses: ["Geodesy", "Spatiotemporal"]),
    tests(
      "Cartography",
      uses: ["Algorithms", "Geodesy", "Spatiotemporal"], excluding: ["Snapshots"]),
    tests("PositionFeeds", uses: ["Geodesy", "JSON", "Spatiotemporal"]),
    tests(
      "ICalendar",
      uses: ["CLibical", "CalendarModel", "Geodesy", "Recurrence"],
      resources: [.copy("Corpus")]),
    tests("CalDAVClient", uses: ["CalDAV", "Reconciliation"]),
    tests(
      "Synchronizer",
      uses: [
        "CalDAV", "CalDAVClient", "CalendarModel", "CalendarStore", "Cryptography", "ICalendar", "OAuth",
        "Reconciliation", "WebPush",
      ]),
    tests("Reconciliation", uses: ["CalendarModel", "ICalendar"]),
    tests(
      "Reservations",
      uses: ["CalendarModel", "Geodesy", "ICalendar", "JSON", "Recurrence", "Spatiotemporal"]),
    tests("CalendarStore", uses: ["CSQLite", "CalendarModel", "Geodesy", "Recurrence"]),
    tests(
      "WebApp",
      uses: [
        "CSQLite", "CalendarModel", "CalendarStore", "Clients", "Conferences", "Cryptography",
        "DaemonControl", "Geodesy", "JSON", "Recurrence", "Reservations", "System", "WebServer",
      ]),
    tests(
      "CalDAVServer",
      uses: [
        "CalDAV", "CalendarModel", "CalendarStore", "Clients", "Cryptography", "Geodesy", "ICalendar",
        "Recurrence", "WebPush", "WebServer",
      ]),
    tests("Items", uses: ["CalendarModel", "Geodesy", "ICalendar", "JSON", "Recurrence"]),
    tests("Clients", uses: ["CalendarModel", "CalendarStore", "Cryptography", "WebServer"]),
    tests("DaemonControl", uses: ["JSON", "System", "CLinux"]),
    tests(
      "Interchange",
      uses: ["CalendarModel", "CalendarStore", "ICalendar", "Recurrence", "Reservations", "System"]),
    tests(
      "AlarmEngine",
      uses: ["CalendarModel", "CalendarStore", "Geodesy", "Geofencing", "PositionFeeds", "Recurrence"]),
    tests(
      "FencepostDaemon",
      uses: [
        "AlarmEngine", "CalDAVServer", "CalendarModel", "CalendarStore", "Clients", "Cryptography",
        "DaemonControl", "Geodesy", "Geofencing", "Interchange", "PositionFeeds", "Recurrence",
        "Synchronizer", "System", "WebPush", "WebServer", "CLinux", "CSystemd", "fencepost",
      ]),
    tests(
      "EventKit",
      uses: [
        "AlarmEngine", "CalendarModel", "CalendarStore", "CoreLocation", "EventKitTestPeer", "Geodesy",
        "Recurrence",
      ]),
    tests("ViewControllers"),
    tests(
      "EventKitUI",
      uses: ["CalendarModel", "CalendarStore", "DaemonControl", "JSON", "System", "ViewControllers"]),
    // An app for the browser tests.
    .executableTarget(
      name: "EventKitUITestPeer", dependencies: ["EventKitUI"], path: "Tests/EventKitUITestPeer",
      swiftSettings: settings),
    // Another process for the tests of EventKit, and programs as apps write them.
    .executableTarget(
      name: "EventKitTestPeer",
      dependencies: ["EventKit", "Intents", "MapKit"],
      path: "Tests/EventKitTestPeer",
      swiftSettings: settings),
    .testTarget(
      name: "ProgramsTests",
      dependencies: [
        "Contacts", "CoreGraphics", "CoreLocation", "EventKit", "EventKitUI", "Intents", "MapKit",
        "UIKit",
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    tests("Conferences", uses: ["CalendarModel", "ICalendar", "System"]),
    tests(
      "Intents",
      uses: [
        "CalendarModel", "CalendarStore", "Contacts", "EventKit", "Interchange", "MapKit",
        "Recurrence", "Reservations",
      ]),
    tests(
      "fencepost",
      uses: [
        "CalendarModel", "CalendarStore", "CommandLineTable", "Geodesy", "Geofencing", "Phrases",
        "PositionFeeds", "Spatiotemporal",
      ],
      excluding: ["Snapshots"]),
  ]
)
