import FencepostTestSupport
import Testing

@testable import fencepost

@Suite("Commands of a fleet")
struct FleetCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test(
    "explain what is wrong before they connect",
    arguments: [
      (["ingest"], "no positions to take"),
      (["ingest", "--feed", "-", "walk.csv"], "not both"),
      (["ingest", "--feed", "maildir:/mails"], "has no positions"),
      (["ingest", "--partitions", "0", "walk.csv"], "--partitions"),
      (["worker"], "--folder is missing"),
      (["worker", "--folder", "f", "--partitions", "9-3"], "such as 0-63"),
      (["worker", "--folder", "f", "--partitions", "0-4096"], "such as 0-63"),
      (["worker", "--folder", "f", "--partitions", "-"], "such as 0-63"),
      (["worker", "--folder", "f", "--lease", "0s"], "--lease"),
      (["worker", "--folder", "f", "--snapshot", "2w"], "--snapshot"),
      (["fleet", "firings", "--from", "0"], "--from"),
      (["fleet", "fences", "--replicas", "6"], "--replicas"),
      (["fleet", "fences", "--follow"], "--follow needs --from"),
      (["fleet", "fences", "--from", "postgresql://h/db?table=t", "--store", "s"], "together"),
    ])
  func misuse(words: [String], complaint: String) {
    let result = fixture.run(words)
    #expect(result.code == .misuse)
    #expect(result.diagnostics.contains(complaint), "\(result.diagnostics)")
  }

  @Test("name a wrong address without its password", arguments: ["worker", "ingest"])
  func address(command: String) {
    let words = command == "worker" ? ["--folder", fixture.directory.path("f")] : ["--feed", "-"]
    let result = fixture.run([command, "--log", "http://ann:s3cret@host"] + words)
    #expect(result.code != .success)
    #expect(result.diagnostics.contains("nats://"))
    #expect(!result.diagnostics.contains("s3cret"))
  }

  @Test(
    "name a wrong database without its password",
    arguments: ["postgresql://ann:s3cret@host/db?table=t", "postgresql://host/db?table=t&password=s3cret"])
  func database(address: String) {
    let result = fixture.run(["fleet", "fences", "--from", address])
    #expect(result.code != .success)
    #expect(result.diagnostics.contains("~/.pgpass"))
    #expect(!result.diagnostics.contains("s3cret"))
  }
}
