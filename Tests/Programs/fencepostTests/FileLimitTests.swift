import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

/// The system's limit of file sizes simulates a full disk: both interrupt a write.
@Suite("A store with a size limit")
struct FileLimitTests {
  @Test(
    "a full store keeps its content, and nothing of an import that did not fit",
    arguments: ["trap '' XFSZ; ", ""])
  func importing(isTold: String) throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "Milk")
    let events = (0..<4_000).map { number in
      """
      BEGIN:VEVENT\r
      UID:\(number)\r
      DTSTAMP:20260501T000000Z\r
      DTSTART:20260502T090000Z\r
      SUMMARY:Event \(number)\r
      END:VEVENT\r\n
      """
    }
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n" + events.joined() + "END:VCALENDAR\r\n"
    let file = try fixture.directory.write(Data(text.utf8), to: "events.ics")

    // Half a megabyte. If the signal is ignored, the system call fails; otherwise the signal ends the
    // process.
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", isTold + "ulimit -f 1024; exec \"$0\" import \"$1\" --store \"$2\"", DaemonProcess.program.path,
      file,
      fixture.directory.path("calendar.sqlite"),
    ]
    let diagnostics = Pipe()
    shell.standardError = diagnostics
    try shell.run()
    let words = String(decoding: diagnostics.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    // Ignored signals are inherited too.
    if shell.terminationReason == .exit {
      #expect(shell.terminationStatus == ExitCode.failure.rawValue)
      #expect(words.contains("calendar.sqlite: "))
    } else {
      #expect(isTold.isEmpty && shell.terminationStatus == SIGXFSZ)
    }

    let store = try fixture.openStore()
    #expect(try store.read { try $0.items() }.map(\.title) == ["Milk"])
    #expect(fixture.run("import", file).code == .success)
    #expect(try store.read { try $0.itemCount() } == 4_001)
  }
}
