import CYajl

/// Builds the values of a file of settings from what libyajl calls back.
final class ConfigurationParser {
  /// Reads `text`, which came from `path`.
  static func parse(_ text: [UInt8], path: String) throws(ConfigurationError) -> ConfigurationValue {
    let builder = ConfigurationParser(text)
    var callbacks = Self.callbacks
    let context = Unmanaged.passUnretained(builder).toOpaque()
    guard let handle = yajl_alloc(&callbacks, nil, context) else {
      throw ConfigurationError(path: path, "there is no memory to read it")
    }
    defer { yajl_free(handle) }
    builder.handle = handle
    _ = cyajl_allow_comments(handle)
    var status = yajl_parse(handle, text, text.count)
    if status == yajl_status_ok { status = yajl_complete_parse(handle) }
    let line = builder.line
    if let complaint = builder.complaint { throw ConfigurationError(path: path, line: line, complaint) }
    guard status == yajl_status_ok, let value = builder.root else {
      let words = yajl_get_error(handle, 0, text, text.count)
      defer { yajl_free_error(handle, words) }
      let said = words.map { String(cString: $0).split(separator: "\n").first.map(String.init) ?? "" }
      throw ConfigurationError(path: path, line: line, "this is no JSON: \(said ?? "")")
    }
    return value
  }

  private let text: [UInt8]
  private var handle: yajl_handle?
  private var root: ConfigurationValue?
  /// Why reading was given up, where JSON's grammar was not the reason.
  private var complaint: String?
  /// The lists and objects that are open, the innermost last.
  private var open: [Container] = []
  /// How far lines were counted, and how many there were.
  private var counted = (offset: 0, line: 1)

  private struct Container {
    var line: Int
    /// `nil` for a list.
    var members: [ConfigurationMember]?
    /// The keys of `members`, and the one that waits.
    var keys: Set<String> = []
    var values: [ConfigurationValue] = []
    /// The key that waits for its value.
    var key: (name: String, line: Int)?
  }

  /// Settings nest in lists and objects, and not much further.
  private static let mostDepth = 8

  private init(_ text: [UInt8]) { self.text = text }

  /// The line that the parser is at.
  private var line: Int {
    guard let handle else { return 1 }
    let end = min(yajl_get_bytes_consumed(handle), text.count)
    if end > counted.offset {
      counted.line += text[counted.offset..<end].count { $0 == 0x0A }
      counted.offset = end
    }
    return counted.line
  }

  private func add(_ content: ConfigurationValue.Content) -> Bool {
    add(ConfigurationValue(line: line, content: content))
  }

  private func add(_ value: ConfigurationValue) -> Bool {
    guard let last = open.indices.last else {
      root = value
      return true
    }
    if let key = open[last].key {
      open[last].members?.append(ConfigurationMember(key: key.name, line: key.line, value: value))
    } else {
      open[last].values.append(value)
    }
    return true
  }

  private func begin(isObject: Bool) -> Bool {
    guard open.count < Self.mostDepth else { return giveUp("lists and objects are too deep in one another") }
    open.append(Container(line: line, members: isObject ? [] : nil))
    return true
  }

  private func end() -> Bool {
    guard let done = open.popLast() else { return false }
    let content = done.members.map(ConfigurationValue.Content.object) ?? .list(done.values)
    return add(ConfigurationValue(line: done.line, content: content))
  }

  private func take(key: String) -> Bool {
    guard let last = open.indices.last else { return false }
    guard open[last].keys.insert(key).inserted else { return giveUp("'\(key)' is said twice") }
    open[last].key = (key, line)
    return true
  }

  private func giveUp(_ complaint: String) -> Bool {
    self.complaint = complaint
    return false
  }

  // MARK: Calls from C

  private static var callbacks: yajl_callbacks {
    var calls = yajl_callbacks()
    calls.yajl_null = { builder($0)?.add(.null) == true ? 1 : 0 }
    calls.yajl_boolean = { builder($0)?.add(.flag($1 != 0)) == true ? 1 : 0 }
    calls.yajl_number = { context, start, count in
      let bytes = UnsafeRawBufferPointer(start: start, count: count)
      return builder(context)?.add(.number(String(decoding: bytes, as: UTF8.self))) == true ? 1 : 0
    }
    calls.yajl_string = { builder($0)?.add(.text(string($1, $2))) == true ? 1 : 0 }
    calls.yajl_start_map = { builder($0)?.begin(isObject: true) == true ? 1 : 0 }
    calls.yajl_map_key = { builder($0)?.take(key: string($1, $2)) == true ? 1 : 0 }
    calls.yajl_end_map = { builder($0)?.end() == true ? 1 : 0 }
    calls.yajl_start_array = { builder($0)?.begin(isObject: false) == true ? 1 : 0 }
    calls.yajl_end_array = { builder($0)?.end() == true ? 1 : 0 }
    return calls
  }
}

/// What a call from C is meant for.
private func builder(_ context: UnsafeMutableRawPointer?) -> ConfigurationParser? {
  context.map { Unmanaged<ConfigurationParser>.fromOpaque($0).takeUnretainedValue() }
}

private func string(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
  String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}
