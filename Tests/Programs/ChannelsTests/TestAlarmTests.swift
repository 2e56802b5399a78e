import FencepostSystem
import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostChannels

@Suite("Test alarms")
struct TestAlarmTests {
  private let test: TestAlarm
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    test = try TestAlarm(
      resolver: TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin")),
      now: Instant(seconds: 1_777_622_400), log: Log(threshold: .error) { _, _ in })
  }

  private func deliver(_ address: String) throws { try test.deliver(over: ChannelAddress(address)) }

  /// A program that runs a shell script.
  private func program(_ script: String) throws -> String {
    let path = try directory.write("#!/bin/sh\n" + script, to: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test("A program gets JSON that is marked as a test")
  func command() throws {
    try deliver("exec:" + program("cat > '\(directory.path("got"))'"))
    let data = try Data(contentsOf: directory.url.appendingPathComponent("got"))
    let line = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    #expect(line?["test"] as? Bool == true)
    #expect(line?["type"] as? String == "firing" && line?["kind"] as? String == "absolute")
    #expect((line?["item"] as? [String: Any])?["title"] as? String == "Test alarm")
    #expect(line?["id"] as? String != nil)
  }

  @Test("A server gets a signed request")
  func webhook() throws {
    let sink = try HTTPSink { _, _ in .answer(204) }
    try deliver("http://127.0.0.1:\(sink.port)/hook?secret=s&list=nothing")
    let request = try #require(sink.requests.first)
    #expect(request.body.contains(#""test":true"#))
    #expect(request.headers["webhook-signature"] != nil)
  }

  @Test("The subject of a mail shows that it is a test")
  func mail() throws {
    let mailer = try program("cat > '\(directory.path("got"))'")
    try deliver("mailto:ann@example.org?sendmail=\(mailer)")
    let message = try String(contentsOf: directory.url.appendingPathComponent("got"), encoding: .utf8)
    #expect(message.contains("\nSubject: Test alarm\n"))
  }

  @Test("A failure contains the reason")
  func failures() throws {
    for (address, words) in [
      ("exec:" + (try program("exit 3")), "exit status 3"), ("exec:/nowhere/ring", "No such file"),
      ("https://example.org/?secret-file=/nowhere/key", "/nowhere/key"),
      ("mqtt://127.0.0.1:1/x?format=owntracks", "arrivals and departures only"),
    ] {
      do {
        try deliver(address)
        Issue.record("\(address) delivered it")
      } catch {
        #expect("\(error)".contains(words))
      }
    }
  }
}
