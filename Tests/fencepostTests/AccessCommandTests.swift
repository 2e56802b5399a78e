import Testing

@testable import fencepost

@Suite("fencepost access")
struct AccessCommandTests {
  @Test("Decisions are made, shown, changed and forgotten")
  func decisions() async throws {
    let fixture = try CommandFixture()
    #expect(
      await fixture.run("access", "grant", "planner", "--write-only").lines == [
        "planner: write-only (events)"
      ])
    await fixture.run("access", "grant", "notes")
    await fixture.run("access", "revoke", "notes", "--events")
    #expect(
      await fixture.run("access", "list").lines == [
        "notes\tevents\tdenied", "notes\treminders\tfull", "planner\tevents\twrite-only",
      ])
    let line = try object(try #require(await fixture.run("access", "list", "--json").lines.first))
    #expect(line["app"] as? String == "notes")
    #expect(line["access"] as? String == "denied")
    let forgotten = await fixture.run("access", "revoke", "notes", "--forget")
    #expect(forgotten.lines == ["notes: forgotten, so that it asks again"])
    let denied = await fixture.run("access", "revoke", "maps", "--events", "--json")
    #expect(try object(try #require(denied.lines.first))["access"] as? String == "denied")
    await fixture.run("access", "revoke", "maps", "--forget")
    #expect(await fixture.run("access", "list").lines == ["planner\tevents\twrite-only"])
  }

  @Test("The policy is shown and set")
  func policy() async throws {
    let fixture = try CommandFixture()
    // Looking makes no store.
    #expect(await fixture.run("access", "policy").diagnostics.contains("there is no store here"))
    await fixture.run("add", "reminder", "Bread")
    #expect(await fixture.run("access", "policy").lines == ["open"])
    #expect(await fixture.run("access", "policy", "ask").lines == ["ask"])
    #expect(
      await fixture.run("access", "policy", "--json").lines == [#"{"type":"access-policy","policy":"ask"}"#])
    #expect(await fixture.run("access", "policy", "never").code == .misuse)
  }

  @Test("Reminders know no write-only access")
  func writeOnlyReminders() async throws {
    let fixture = try CommandFixture()
    let refused = await fixture.run("access", "grant", "planner", "--write-only", "--reminders")
    #expect(refused.code == .misuse)
  }
}
