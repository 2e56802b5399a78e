import FencepostJSON

/// What all programs write as JSON: the command line with `--json`, the API, channels and the daemon.
///
/// One table describes it for all of them: `fencepost help json`, the reference, and the description of the API.
/// Tests hold real output of commands and routes against it.
public enum OutputSchema {
  /// A kind of line that the command line prints.
  public struct Line: Sendable {
    /// The values of its `type`.
    public let types: [String]
    /// The name of its schema.
    public let name: String
    /// What it is, for people.
    public let summary: String
    /// Its schema.
    public let schema: JSONSchema

    init(_ types: String..., as name: String, _ summary: String, _ schema: JSONSchema) {
      self.types = types
      self.name = name
      self.summary = summary
      self.schema = schema
    }
  }

  /// All kinds of lines.
  public static let lines =
    itemLines + alarmLines + storeLines + accessLines + traceLines + commandLines
    + diagnosisLines

  /// The schemas that lines are made of.
  public static let parts: KeyValuePairs<String, JSONSchema> = [
    "Alarm": alarm, "Place": place, "Brief": brief, "ListName": listName, "SilentAlarms": silentAlarms,
    "Fields": fields,
  ]

  /// The schema of a part or of a kind of line.
  public static func schema(named name: String) -> JSONSchema? {
    parts.first { $0.key == name }?.value ?? lines.first { $0.name == name }?.schema
  }

  /// The JSON Schema (draft 2020-12) of one line of output, with one definition in each line of text.
  public static var document: String {
    let anyOf = lines.map { ##"{"$ref":"#/$defs/\##($0.name)"}"## }.joined(separator: ",")
    let all = parts.map { ($0.key, $0.value) } + lines.map { ($0.name, $0.schema) }
    let definitions = all.map { name, schema in
      "\"\(name)\":" + schema.line.line.replacing("#/components/schemas/", with: "#/$defs/")
    }
    return """
      {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"A line of fencepost --json",
      "anyOf":[\(anyOf)],
      "$defs":{
      \(definitions.joined(separator: ",\n"))
      }}
      """
  }

  /// A table of all kinds of lines with their keys, in Markdown. A key in brackets may be missing.
  public static var table: String {
    lines.map { line in
      let types = line.types.map { "`\($0)`" }.joined(separator: ", ")
      let keys = line.schema.names.filter { $0 != "type" }.map { name in
        name.hasSuffix("?") ? "[`\(name.dropLast())`]" : "`\(name)`"
      }
      return "- \(types), \(line.summary)" + (keys.isEmpty ? "" : ": " + keys.joined(separator: ", "))
    }.joined(separator: "\n")
  }
}
