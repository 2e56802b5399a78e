import Testing

@testable import FencepostJSON

@Suite("Careless JSON")
struct JSONRepairTests {
  private func strict(_ text: String) throws -> String {
    var repair = JSONRepair(Array(text.utf8), maxDepth: 16)
    return String(decoding: try repair.list(), as: UTF8.self)
  }

  @Test(
    "Careless JSON becomes one strict array",
    arguments: [
      ("", "[]"),
      (#"{"a":1}"#, #"[{"a":1}]"#),
      (#"{"a":1,}"#, #"[{"a":1}]"#),
      ("[1,2,]", "[[1,2]]"),
      ("[1 2]", "[[1,2]]"),
      ("[,1,,2]", "[[1,2]]"),
      (#"{"a":1} {"b":2}"#, #"[{"a":1},{"b":2}]"#),
      (#"{"a":1},{"b":2};"#, #"[{"a":1},{"b":2}]"#),
      (#"{"a":1 "b":2}"#, #"[{"a":1,"b":2}]"#),
      (#"{"a":1 // one"# + "\n}", #"[{"a":1"# + "\n}]"),
      (#"{"a":/* one */1}"#, #"[{"a":1}]"#),
      ("<!-- {\"a\":1} -->", #"[{"a":1}]"#),
      ("//<![CDATA[\n{\"a\":1}\n//]]>", "[\n{\"a\":1}\n]"),
      ("{\"a\":\"x\ny\tz\"}", #"[{"a":"x\ny z"}]"#),
      (#"{"a":"it\'s \x"}"#, #"[{"a":"it's x"}]"#),
      (#"{'a':'say "x"'}"#, #"[{"a":"say \"x\""}]"#),
      (#"{a:b, c:01, d:+5, e:true}"#, #"[{"a":"b","c":"01","d":"+5","e":true}]"#),
      (#"{"a":,"b":1}"#, #"[{"a":null,"b":1}]"#),
      (#"{"a"}"#, #"[{"a":null}]"#),
      (#"{"a":[1,2}"#, #"[{"a":[1,2]}]"#),
      (#"{"a":{"b":"c"#, #"[{"a":{"b":"c"}}]"#),
      (#"[{"a":1}}]"#, #"[[{"a":1}]]"#),
      (#"{"a":1]}"#, #"[{"a":1}]"#),
      (#"{{"a":1},{"b":2}}"#, #"[{},{"a":1},{"b":2}]"#),
      (#"{"a":"https://x/y"}"#, #"[{"a":"https://x/y"}]"#),
      (#"{"a":1,"a":2}"#, #"[{"a":1,"a":2}]"#),
    ])
  func repaired(text: String, expected: String) throws {
    #expect(try strict(text) == expected)
    _ = try JSONValue.values(inCareless: Array(text.utf8), maxDepth: 16)
  }

  @Test("The repair of any bytes is valid JSON or too deep, and its cost is bounded")
  func anyBytes() throws {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("{}[]\",:'/*\\ \n-<!>a1u0é".utf8)
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      do {
        _ = try JSONValue.values(inCareless: text, maxDepth: 62)
      } catch {
        #expect(error.complaint.contains("deeply"), "\(String(decoding: text, as: UTF8.self)): \(error)")
      }
    }
    #expect(throws: JSONFailure.self) {
      try JSONValue.values(inCareless: [UInt8](repeating: 0x5B, count: 1_000_000), maxDepth: 62)
    }
  }
}
