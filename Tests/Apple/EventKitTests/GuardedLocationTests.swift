import FencepostConfiguration
import FencepostTestSupport
import Foundation
import Testing

@testable import EventKit

@Suite("Where apps find a guarded store")
struct GuardedLocationTests {
  @Test(
    "The socket of a guarded store takes the place of its file, and of no other",
    arguments: GuardedStore.State.allCases)
  func location(state: GuardedStore.State) throws {
    let directory = try TemporaryDirectory()
    let guarded = GuardedStore(user: 2_201, root: directory.path("root"))
    let home = GuardedStore.canonical(directory.path("home"))
    let folder = "\(home)/.local/share/fencepost"
    let path = "\(folder)/calendar.sqlite"
    func location(_ variables: [String: String] = [:]) -> StoreLocation {
      StoreLocation.standard(in: ["HOME": home].merging(variables) { $1 }, guarded: guarded)
    }
    #expect(location() == .file(path))
    for folder in [folder, guarded.folder] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    // Also while it moves: a new store in the home would be lost.
    let record = GuardedStore.Record(state, origin: path)
    try Data(record.text.utf8).write(to: URL(fileURLWithPath: guarded.recordFile))
    #expect(location() == .broker(guarded.socket))
    #expect(location(["FENCEPOST_STORE": path]) == .broker(guarded.socket))
    // By another name of the same folder too.
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    #expect(location(["FENCEPOST_STORE": "\(link)/calendar.sqlite"]) == .broker(guarded.socket))
    #expect(location(["FENCEPOST_STORE": "\(home)/mine.sqlite"]) == .file("\(home)/mine.sqlite"))
    #expect(location(["FENCEPOST_BROKER": "/run/apps"]) == .broker("/run/apps"))
  }
}
