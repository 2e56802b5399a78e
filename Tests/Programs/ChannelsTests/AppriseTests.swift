import FencepostAddresses
import FencepostAlarmTestSupport
import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostChannels

@Suite("Apprise")
struct AppriseTests {
  @Test(
    "An alarm reaches a service, by an address or a file",
    .enabled(if: (try? AppriseProgram.interpreter()) != nil, "apprise is not installed"),
    arguments: [false, true])
  func sends(isFile: Bool) throws {
    let service = try ServiceFixture(check: { $0.method == "POST" ? [] : ["method"] }) { _, _ in .answer(200)
    }
    var target = "json://127.0.0.1:PORT/hook?token=x&kind2=y"
    if isFile {
      let path = service.fixture.directory.path("apprise.conf")
      try target.replacing("PORT", with: "\(service.sink.port)").write(
        toFile: path, atomically: true, encoding: .utf8)
      target = path
    }
    #expect(try service.run("apprise:\(target)") == .init())
    let json = try service.json()
    #expect(json["title"] as? String == "Milk & \"eggs\"")
    #expect((json["message"] as? String)?.hasPrefix("Arrived at Place") == true)
  }

  @Test(
    "A service that refuses is tried again; an address that Apprise does not know too",
    .enabled(if: (try? AppriseProgram.interpreter()) != nil, "apprise is not installed"),
    arguments: [
      ("json://127.0.0.1:PORT/", "exit status 75 (temporary failure)"),
      ("nothing-such://a", "exit status 78 (configuration error)"),
    ])
  func refused(target: String, error: String) throws {
    let service = try ServiceFixture(check: { _ in [] }) { _, _ in .answer(500) }
    #expect(try service.run("apprise:\(target)") == .init(error: error, wait: 1))
  }

  @Test("Python is the one of the command, and nothing secret is among its arguments")
  func interpreter() throws {
    let directory = try TemporaryDirectory()
    let command = directory.path("apprise")
    try "#!/opt/venv/bin/python3 -s\nimport apprise\n".write(
      toFile: command, atomically: true, encoding: .utf8)
    #expect(throws: SystemFailure.self) { try AppriseProgram.interpreter(path: directory.path("")) }
    chmod(command, 0o755)
    let program = try AppriseProgram.interpreter(path: "/no/such:" + directory.url.path)
    #expect(program.path == "/opt/venv/bin/python3")
    #expect(program.arguments.count == 3 && program.arguments.starts(with: ["-s", "-c"]))
  }

  @Test("Names have no secrets")
  func names() throws {
    let name = try FilteredChannel("apprise:discord://ID/TOKEN?list=A").channel.description
    #expect(name.wholeMatch(of: /apprise:discord-[0-9a-f]{8}/) != nil)
    #expect(try ChannelAddress("apprise:/etc/apprise.conf").description == "apprise:/etc/apprise.conf")
  }

  @Test("An address is a URL or a file", arguments: ["apprise:", "apprise:discord", "apprise:conf"])
  func addresses(text: String) { #expect(throws: AddressError.self) { try ChannelAddress(text) } }
}
