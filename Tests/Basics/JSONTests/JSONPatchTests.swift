import FencepostJSON
import Testing

@Suite("JSON pointers and patches")
struct JSONPatchTests {
  private func value(_ text: String) throws -> JSONValue {
    try JSONValue(reading: Array(text.utf8), maxDepth: 16)
  }

  @Test(
    "Keys of pointers are escaped, also before combining marks",
    arguments: [
      ("a", "a"), ("", ""), ("a/b", "a~1b"), ("~", "~0"), ("~1", "~01"), ("~0/", "~00~1"),
      ("/\u{301}", "~1\u{301}"), ("~\u{301}1", "~0\u{301}1"),
    ])
  func escapes(key: String, part: String) {
    #expect(Array(JSONPointer.escaped(key).utf8) == Array(part.utf8))
    #expect(JSONPointer.keys("x/\(part)/y").map { Array($0.utf8) } == ["x", key, "y"].map { Array($0.utf8) })
  }

  @Test("A tilde that escapes nothing is itself", arguments: ["~", "~2", "a~", "~~1", "~~"])
  func tilde(part: String) {
    #expect(JSONPointer.keys(part) == [part == "~~1" ? "~/" : part])
  }

  @Test(
    "Changes are as short as possible, and lead to the other object",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
      (#"{"a":1}"#, #"{"a":2,"b/c":3}"#, ["a=2", "b~1c=3"]),
      (
        #"{"a":{"long":"a long text","x":{"y":1}}}"#, #"{"a":{"long":"a long text","x":{"y":2}}}"#,
        ["a/x/y=2"]
      ),
      (#"{"a":{"long":"a long text","x":1}}"#, #"{"a":{"long":"a long text"}}"#, ["a/x=-"]),
      (#"{"a":{"x":1,"y":2}}"#, #"{"a":{}}"#, ["a={}"]),
      (
        #"{"a":{"long":"a long text","x":1}}"#, #"{"a":{"long":"a long text","x":null}}"#,
        [#"a={"long":"a long text","x":null}"#]
      ),
      (#"{"a":[{"x":1}]}"#, #"{"a":[{"x":2}]}"#, [#"a=[{"x":2}]"#]),
      (#"{"b":1,"a":1}"#, "{}", ["a=-", "b=-"]),
    ] as [(String, String, [String])])
  func changes(old: String, new: String, expected: [String]) throws {
    let changes = try value(old).changes(to: value(new))
    #expect(changes.map { "\($0.pointer)=\($0.value?.json ?? "-")" } == expected)
    let patched = try changes.reduce(value(old)) {
      try #require($0.setting(JSONPointer.keys($1.pointer)[...], to: $1.value))
    }
    #expect(try patched.says(value(new)))
  }
}
