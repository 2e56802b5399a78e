import FencepostCommandLineTable
import FencepostModelContext
import FencepostSystem
import Glibc

extension FencepostTable {
  static let mcp = Command(
    "mcp", summary: "Serve an agent (Model Context Protocol) on standard input and output",
    discussion: [
      """
      Agents start this. An agent is an app like any other: it waits until you answer in `fencepost access answer`, \
      or grant its name access, such as `mcp:agent`. With `--write-only` it adds, and sees nothing. Where devices are is an access \
      of its own, `--location`.
      """,
      """
      Before it removes something, the agent's program asks you. If it can't ask, nothing is removed without \
      `--allow-deletions`. What an agent changes can be undone with `fencepost undo`.
      """,
    ],
    examples: [
      Example("fencepost mcp --name planner", "The command for the configuration of an agent")
    ],
    options: [
      .value(.agentName, "NAME", default: "agent", "The agent's name in `fencepost access`, after `mcp:`"),
      .flag(.allowDeletions, "Let the agent remove items without asking"),
    ],
    action: .run(isUndoable: false) { try $0.serveAgent() })
}

extension CommandContext {
  /// `mcp [--name NAME] [--allow-deletions]`.
  func serveAgent() throws {
    let name = parsed.value(.agentName) ?? "agent"
    guard AgentServer.isName(name) else {
      throw parsed.misuse(
        "--name: use at most \(AgentServer.maximumName) letters, digits, '.', '_' and '-', such as 'planner'")
    }
    var server = AgentServer(
      store: try openStore(), name: name, schedule: try alarmSchedule(),
      allowsDeletions: parsed.flag(.allowDeletions), clock: { [self] in now })
    server.joinHosts = try joinHosts()
    let lines = LineInput(STDIN_FILENO, maximum: RPCMessage.maximumBytes)
    try AgentSession(
      server, receive: lines.line,
      send: { [console] line in
        try console.print(line)
        try console.flush()
      }
    ).run()
  }
}
