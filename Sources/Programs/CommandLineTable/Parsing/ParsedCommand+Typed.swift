extension ParsedCommand {
  /// The value of an option, converted by `read`.
  ///
  /// - Throws: ``UsageError`` with the option and the error of `read`.
  public func value<Value>(_ key: ValueKey, as read: (String) throws -> Value) throws(UsageError) -> Value? {
    guard let argument = argument(key) else { return nil }
    return try self.read(argument, as: read)
  }

  /// The values of a repeatable option, converted by `read`.
  ///
  /// - Throws: ``UsageError`` for the first that `read` rejects.
  public func values<Value>(_ key: ValueKey, as read: (String) throws -> Value) throws(UsageError) -> [Value]
  {
    var values: [Value] = []
    for argument in arguments(key) { values.append(try self.read(argument, as: read)) }
    return values
  }

  /// The value of an option as a whole number.
  ///
  /// - Throws: ``UsageError`` if it is not a number, or out of `range`.
  public func integer(_ key: ValueKey, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let argument = argument(key) else { return nil }
    guard let number = Int(argument.value), range.contains(number) else {
      throw invalid(
        argument,
        "must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(argument.value)'")
    }
    return number
  }

  /// The word of a required positional.
  ///
  /// - Throws: ``UsageError`` if it is missing, which the parser allows only with an option like `--help`.
  public func required(_ key: PositionalKey) throws(UsageError) -> String {
    guard let word = positional(key) else { throw absent(key) }
    return word
  }

  /// The word of a required positional, converted by `read`.
  ///
  /// - Throws: ``UsageError`` if it is missing, or if `read` rejects it.
  public func required<Value>(_ key: PositionalKey, as read: (String) throws -> Value) throws(UsageError)
    -> Value
  {
    guard let argument = positionalArguments(key).first else { throw absent(key) }
    return try self.read(argument, as: read)
  }

  /// The words of a positional, converted by `read`.
  ///
  /// - Throws: ``UsageError`` for the first that `read` rejects.
  public func positionals<Value>(
    _ key: PositionalKey, as read: (String) throws -> Value
  ) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for argument in positionalArguments(key) { values.append(try self.read(argument, as: read)) }
    return values
  }

  /// An error for a value: "option '--radius' must be above zero".
  public func invalid(_ argument: Argument, _ complaint: String) -> UsageError {
    UsageError(
      .invalidValue, "\(argument.label) \(complaint)", word: argument.value, index: argument.index,
      path: path)
  }

  /// An error for words that are valid alone, but not together.
  public func misuse(_ complaint: String) -> UsageError {
    UsageError(.contradiction, complaint, path: path)
  }

  private func read<Value>(_ argument: Argument, as read: (String) throws -> Value) throws(UsageError)
    -> Value
  {
    do {
      return try read(argument.value)
    } catch {
      throw UsageError(
        .invalidValue, "\(argument.label): \(error)", word: argument.value, index: argument.index, path: path)
    }
  }

  private func absent(_ key: PositionalKey) -> UsageError {
    let positional = node.command.positionals.first { $0.name == key.name }
    return .missing(positional ?? Positional(key, .required, ""), in: node)
  }
}
