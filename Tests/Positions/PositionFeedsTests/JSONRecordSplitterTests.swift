import Testing

@testable import FencepostPositionFeeds

@Suite("Cutting JSON into records")
struct JSONRecordSplitterTests {
  /// The records of `text`, cut into pieces of `size` bytes, as `list:line:record`.
  private func records(_ text: String, lists: [StaticString] = ["a", "b"], size: Int) -> [String] {
    let splitter = JSONRecordSplitter(lists: lists)
    var found: [String] = []
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(start + size, bytes.count)
      Array(bytes[start..<end]).withUnsafeBufferPointer {
        splitter.split($0) { record in
          let text = record.isTooLong ? "too long" : String(decoding: record.bytes, as: UTF8.self)
          found.append("\(record.list.map(String.init) ?? "-"):\(record.line):\(text)")
        }
      }
      start = end
    }
    return found
  }

  @Test(
    "Pieces may break anywhere without changing the records",
    arguments: [
      (#"{"x":1} {"y":"{"}"#, [#"-:1:{"x":1}"#, #"-:1:{"y":"{"}"#]),
      ("[{},\n{\"x\":[{}]}]", ["-:1:{}", "-:2:{\"x\":[{}]}"]),
      (#"{"a":[{"x":1}],"c":[{"y":1}],"b":[{"z":"]}\"]"}]}"#, [#"0:1:{"x":1}"#, #"1:1:{"z":"]}\"]"}"#]),
      (#"{"c":"a","d":["a",{"a":[{}]}]}"#, [#"-:1:{"c":"a","d":["a",{"a":[{}]}]}"#]),
      (#"{"c":{"a":[{}]}}"#, [#"-:1:{"c":{"a":[{}]}}"#]),
      (#"{"a":{},"\"a":[{}],"b":[[{}],{"x":2}]}"#, [#"1:1:{"x":2}"#]),
      ("]}{\n}", ["-:2:{\n}"]),
      // Missing or surplus brackets.
      (#"[{"x":[1},{"x":2}]"#, [#"-:1:{"x":[1}"#, #"-:1:{"x":2}"#]),
      (#"{"a":[{"x":1],"b":[{}]}"#, [#"0:1:{"x":1"#, "1:1:{}"]),
      (#"[{"x":1]},{}]"#, [#"-:1:{"x":1"#, "-:1:{}"]), (#"{"a":[]}"#, []),
    ])
  func pieces(text: String, expected: [String]) {
    for size in [1, 2, 3, 5, 1000] { #expect(records(text, size: size) == expected, "pieces of \(size)") }
  }

  @Test("An endless record is dropped, not kept")
  func endless() {
    let long = "{\"x\":\"" + String(repeating: "y", count: JSONRecordSplitter.maximumLength) + "\"}"
    #expect(records("[\(long),{}]", size: 65_536) == ["-:1:too long", "-:1:{}"])
  }
}
