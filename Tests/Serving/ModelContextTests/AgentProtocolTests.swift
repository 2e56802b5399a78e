import FencepostJSON
import Testing

@testable import FencepostModelContext

@Suite("Messages of agents")
struct AgentProtocolTests {
  @Test(
    "What is no request is refused, and the session goes on",
    arguments: [
      ("{", "-32700"), ("[]", "-32600"), ("{}", "-32600"),
      (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "-32600"),
      (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600"),
      (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, "-32601"),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "-32600"),
      (String(repeating: "[", count: 10_000), "-32700"),
    ])
  func malformed(_ line: String, _ code: String) throws {
    let output = try AgentFixture().speak([line, #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#])
    try #require(output.count == 2)
    #expect(output[0].contains("\"code\":\(code)"))
    #expect(output[1] == #"{"jsonrpc":"2.0","id":"p","result":{}}"#)
  }

  @Test("A message that is too long is refused")
  func tooLong() throws {
    let output = try AgentFixture().speak([String(repeating: " x", count: 1 << 20)])
    #expect(output.count == 1 && output[0].contains("at most"))
  }

  @Test(
    "The revision is the client's if it is known, else the latest",
    arguments: [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")])
  func revision(_ wanted: String, _ answered: String) throws {
    let greeting = AgentFixture.greeting().replacing("2025-06-18", with: wanted)
    #expect(try AgentFixture().speak([greeting])[0].contains(#""protocolVersion":"\#(answered)""#))
  }

  @Test("Each tool has schemas that refer to nothing outside")
  func schemas() throws {
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let line = try #require(try AgentFixture().speak([AgentFixture.greeting(), list]).last)
    let json = try JSONValue(reading: Array(line.utf8), maxDepth: 64)
    let tools = try #require(json["result"]?["tools"]?.list)
    #expect(
      Set(tools.compactMap { $0["name"]?.text })
        == [
          "find", "agenda", "places", "where_is", "explain", "suggestions", "add", "edit", "complete",
          "remove",
          "undo",
        ])
    #expect(!line.contains("#/components"))
    for tool in tools {
      let schema = try #require(tool["outputSchema"])
      for reference in schema.json.split(separator: "\"") where reference.hasPrefix("#/$defs/") {
        #expect(schema["$defs"]?[String(reference.dropFirst(8))] != nil, "\(reference)")
      }
    }
  }

  @Test("Unknown tools and arguments are refused by name")
  func unknown() throws {
    let fixture = try AgentFixture()
    for (call, word) in [
      (AgentFixture.call("erase"), "erase"), (AgentFixture.call("find", #"{"words":"a"}"#), "words"),
      (AgentFixture.call("find", "[]"), "arguments"),
    ] {
      let line = try #require(try fixture.speak([AgentFixture.greeting(), call]).last)
      #expect(line.contains("-32602") && line.contains(word))
    }
  }
}
