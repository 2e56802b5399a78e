/// A command.
public struct Command: Sendable {}
