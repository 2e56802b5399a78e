import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostSystem

@Suite("Handing a secret address to the browser")
struct BrowserProgramTests {
  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("The browser gets a file that only the user can read, and old ones go")
  func secret() throws {
    let directory = try TemporaryDirectory()
    let browser = BrowserProgram(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    let address = "http://127.0.0.1:8787/signin?key=s3cret&x=\"<"
    let path = try browser.leadingFile(to: address)
    #expect(path.hasPrefix(directory.url.path) && path.hasSuffix(".html") && !path.contains("s3cret"))
    #expect(mode(path) == 0o600)
    #expect(mode((path as NSString).deletingLastPathComponent) == 0o700)
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page.contains("url=http://127.0.0.1:8787/signin?key=s3cret&amp;x=&quot;&lt;\""))
    var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 1_000, tv_usec: 0)]
    utimes(path, &times)
    let second = try browser.leadingFile(to: address)
    #expect(!FileManager.default.fileExists(atPath: path) && FileManager.default.fileExists(atPath: second))
  }

  @Test("A folder that others made or can read gets no secret", arguments: ["link", "open"])
  func foreign(kind: String) throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path("fencepost-open")
    let other = directory.path("other")
    mkdir(other, 0o700)
    if kind == "link" { symlink(other, folder) } else { mkdir(folder, 0o755) }
    let browser = BrowserProgram(environment: ["XDG_RUNTIME_DIR": directory.url.path])
    #expect(throws: SystemFailure.self) { try browser.leadingFile(to: "http://127.0.0.1/") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
  }
}
