import FencepostConfiguration
import FencepostTestSupport
import Foundation
import Testing

@Suite("Where the settings and the store are")
struct StandardPathsTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func paths(_ variables: [String: String] = [:]) -> StandardPaths {
    StandardPaths(
      environment: ["HOME": directory.url.path].merging(variables) { $1 })
  }

  private func configure(_ text: String, at path: String = ".config/fencepost/config.json") throws {
    let file = directory.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  @Test("The environment has priority over the settings, and these over the default path")
  func order() throws {
    #expect(try paths().store() == directory.path(".local/share/fencepost/calendar.sqlite"))
    #expect(try paths(["XDG_DATA_HOME": "/data"]).store() == "/data/fencepost/calendar.sqlite")
    #expect(
      try paths(["XDG_DATA_HOME": "data"]).store() == directory.path(".local/share/fencepost/calendar.sqlite")
    )
    try configure(#"{"store": "~/mine.sqlite"}"#)
    #expect(try paths(["XDG_DATA_HOME": "/data"]).store() == directory.path("mine.sqlite"))
    #expect(try paths(["FENCEPOST_STORE": ""]).store() == directory.path("mine.sqlite"))
    #expect(try paths(["FENCEPOST_STORE": "other.sqlite"]).store() == "other.sqlite")
    try configure(#"{"store": "/abroad.sqlite"}"#, at: "named.json")
    #expect(try paths(["FENCEPOST_CONFIG": directory.path("named.json")]).store() == "/abroad.sqlite")
    #expect(try StandardPaths(environment: [:]).store() == nil)
  }

  @Test("A damaged settings file is an error only if it is needed")
  func damaged() throws {
    try configure("{\n  \"store\": ")
    #expect(throws: ConfigurationError.self) { try paths().store() }
    #expect(try paths(["FENCEPOST_STORE": "/mine.sqlite"]).store() == "/mine.sqlite")
    try configure("{\n  \"store\": \"relative.sqlite\"\n}")
    let relative = #expect(throws: ConfigurationError.self) { try paths().store() }
    #expect(
      "\(relative.map { "\($0)" } ?? "")".hasSuffix(
        "config.json:2: 'store': must be an absolute path, such as '~/store', not 'relative.sqlite'"))
    let missing = #expect(throws: ConfigurationError.self) {
      try paths(["FENCEPOST_CONFIG": "/there/is/none.json"]).store()
    }
    #expect(missing?.description == "/there/is/none.json: no such file")
  }
}
