import FencepostAddresses
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON

/// `title=TEXT` and `body=TEXT` of an address: what a program or a server gets instead of the JSON of a
/// notice. `{title}` and other fields stand for parts of the notice.
///
/// A body that is JSON itself, such as `{"text":"{title}"}`, is sent alone; its fields are escaped.
public struct ChannelTemplate: Hashable, Sendable {
  private let title: String
  private let body: String
  private let isJSON: Bool

  /// The parameters.
  static let words = ["title", "body"]

  /// A field of a notice.
  private enum Field: String, CaseIterable {
    case title, text, kind, list, place, device, time, notes, url, id
  }

  /// `nil` without these parameters.
  init?(taking words: inout AddressParameters) throws(AddressError) {
    let (title, body) = (try words.take("title"), try words.take("body"))
    guard title != nil || body != nil else { return nil }
    self.title = title ?? "{title}"
    self.body = body ?? "{text}"
    let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    for text in [self.title, self.body] {
      for match in text.matches(of: /\{([a-z_]+)\}/) where Field(rawValue: String(match.output.1)) == nil {
        throw words.failure("unknown field '\(match.output.0)'; use \(known)")
      }
    }
    let sample = Self.fill(self.body) { _ in "" }
    isJSON =
      ["{", "["].contains(sample.first { !$0.isWhitespace })
      && (try? JSONValue(reading: Array(sample.utf8), maxDepth: 16)) != nil
  }

  /// The texts of a notice.
  struct Texts {
    var title: String
    var body: String
    /// Whether the body is JSON, and the title is not used.
    var isJSON: Bool
  }

  /// The texts of a notice.
  func texts(_ notice: Notice, _ words: NoticeWords) -> Texts {
    func value(_ field: Field) -> String {
      let entry = notice.firing
      return switch field {
      case .title: words.title(notice)
      case .text: words.lines(notice).joined(separator: "\n")
      case .kind: notice.kind.rawValue
      case .list: entry?.context?.listTitle ?? ""
      case .place: entry?.firing.place?.title ?? entry?.context?.snoozed?.place ?? ""
      case .device: entry?.firing.crossing?.device ?? ""
      case .time: words.time(notice.time)
      case .notes: entry?.context?.details.notes ?? ""
      case .url: entry?.context?.details.url ?? ""
      case .id: notice.key
      }
    }
    let title = Self.fill(title, value)
    guard isJSON else { return Texts(title: title, body: Self.fill(body, value), isJSON: false) }
    let body = Self.fill(body) { field in
      var escaped = ""
      JSONEscaping.shown.append(value(field), to: &escaped)
      return String(escaped.dropFirst().dropLast())
    }
    return Texts(title: title, body: body, isJSON: true)
  }

  private static func fill(_ text: String, _ value: (Field) -> String) -> String {
    text.replacing(/\{([a-z_]+)\}/) { Field(rawValue: String($0.output.1)).map(value) ?? String($0.output.0) }
  }
}
