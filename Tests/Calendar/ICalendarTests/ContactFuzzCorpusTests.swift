import FencepostICalendar
import FencepostTestSupport
import Testing

@Suite("The contact fuzzer's corpus")
struct ContactFuzzCorpusTests {
  @Test("Each input is read, or is an error", arguments: FuzzCorpus.inputs("Contacts"))
  func replay(name: String) throws {
    var names: [String] = []
    _ = try? ContactReader().forEachContact(try FuzzCorpus.bytes(name, of: "Contacts"), name: name) {
      names.append($0.name)
    }
    #expect(names.allSatisfy { !$0.isEmpty })
  }
}
