import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Testing

@Suite("The fuzzer's corpus")
struct FuzzCorpusTests {
  @Test("Each input is read and written again, or is an error", arguments: FuzzCorpus.inputs("ICalendar"))
  func replay(name: String) throws {
    let reader = ICalendarReader(calendar: Identifier(rawValue: "c"))
    let bytes = try FuzzCorpus.bytes(name, of: "ICalendar")
    guard let document = try? reader.read(bytes, name: name) else { return }
    let again = try reader.read(Array(ICalendarWriter().text(of: document).utf8), name: name)
    #expect(again.items.count == document.items.count)
  }
}
