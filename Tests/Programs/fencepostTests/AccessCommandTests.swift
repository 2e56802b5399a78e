import Testing

@testable import fencepost

@Suite("fencepost access")
struct AccessCommandTests {
  @Test("Decisions can be made, shown, changed and forgotten")
  func decisions() throws {
    let fixture = try CommandFixture()
    #expect(
      fixture.run("access", "grant", "planner", "--write-only").lines == [
        "planner: write-only (events)"
      ])
    fixture.run("access", "grant", "notes")
    fixture.run("access", "revoke", "notes", "--events")
    #expect(
      fixture.run("access", "list").lines == [
        "notes\tevents\tdenied", "notes\treminders\tfull", "planner\tevents\twrite-only",
      ])
    let line = try object(try #require(fixture.run("access", "list", "--json").lines.first))
    #expect(line["app"] as? String == "notes")
    #expect(line["access"] as? String == "denied")
    let forgotten = fixture.run("access", "revoke", "notes", "--forget")
    #expect(forgotten.lines == ["notes: forgotten; it will ask again"])
    let denied = fixture.run("access", "revoke", "maps", "--events", "--json")
    #expect(try object(try #require(denied.lines.first))["access"] as? String == "denied")
    fixture.run("access", "revoke", "maps", "--forget")
    #expect(fixture.run("access", "list").lines == ["planner\tevents\twrite-only"])
  }

  @Test("The policy can be shown and set")
  func policy() throws {
    let fixture = try CommandFixture()
    // Reading the policy creates no store.
    #expect(fixture.run("access", "policy").diagnostics.contains("No store yet"))
    fixture.run("add", "reminder", "Bread")
    #expect(fixture.run("access", "policy").lines == ["open"])
    #expect(fixture.run("access", "policy", "ask").lines == ["ask"])
    #expect(
      fixture.run("access", "policy", "--json").lines == [#"{"type":"access-policy","policy":"ask"}"#])
    #expect(fixture.run("access", "policy", "never").code == .misuse)
  }

  @Test("There is no write-only access to reminders")
  func writeOnlyReminders() throws {
    let fixture = try CommandFixture()
    let refused = fixture.run("access", "grant", "planner", "--write-only", "--reminders")
    #expect(refused.code == .misuse)
  }
}
