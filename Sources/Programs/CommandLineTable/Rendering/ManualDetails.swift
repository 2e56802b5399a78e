/// The parts of a manual page that are not in the table.
public struct ManualDetails: Hashable, Sendable {
  /// A term and its meaning, such as a file, a variable or an exit status.
  public struct Entry: Hashable, Sendable {
    /// The term, as typed.
    public var term: String
    /// Its meaning: a paragraph; backquotes mark literal words.
    public var text: String

    /// An entry.
    public init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  /// The date of the last change, as mdoc writes it: "May 1, 2026".
  public var date: String
  /// Files that the program reads and writes.
  public var files: [Entry]
  /// Environment variables beyond those of the options.
  public var environment: [Entry]
  /// Exit statuses.
  public var exitStatuses: [Entry]
  /// Other pages to read.
  public var seeAlso: [Page]

  /// A page of the manual.
  public struct Page: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its section: 1 for commands, 5 for file formats.
    public var section: Int

    /// A page.
    public init(_ name: String, _ section: Int) {
      self.name = name
      self.section = section
    }
  }

  /// Details.
  public init(
    date: String, files: [Entry] = [], environment: [Entry] = [], exitStatuses: [Entry] = [],
    seeAlso: [Page] = []
  ) {
    self.date = date
    self.files = files
    self.environment = environment
    self.exitStatuses = exitStatuses
    self.seeAlso = seeAlso
  }
}
