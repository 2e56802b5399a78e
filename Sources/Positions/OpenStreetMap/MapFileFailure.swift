/// Why a file of OpenStreetMap could not be read. Its description is one line.
public struct MapFileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Problem: Hashable, Sendable {
    /// The file can't be opened or read; the system's words.
    case unreadable(String)
    /// It does not begin as such a file.
    case otherFile
    /// A part is damaged or cut off.
    case damaged
    /// A part is larger than the format allows.
    case tooLarge
    /// A part is compressed in a way that is not read here; its name.
    case compression(String)
    /// It needs a program that knows more than this one; what of.
    case feature(String)
    /// It has more places than fit; how many do.
    case tooManyPlaces(Int)
  }

  /// What is wrong.
  public var problem: Problem
  /// Where in the file, in bytes from its beginning.
  public var offset: Int64

  /// The error message.
  public var description: String {
    switch problem {
    case .unreadable(let words): words
    case .otherFile: "is no extract of OpenStreetMap (.osm.pbf)"
    case .damaged: "byte \(offset): the file is damaged or cut off; download it again"
    case .tooLarge: "byte \(offset): a part is larger than the format allows"
    case .compression(let name):
      "byte \(offset): is compressed by \(name); 'osmium cat FILE -o OTHER.osm.pbf' makes one that can be read"
    case .feature(let name): "needs a program that knows '\(name)'"
    case .tooManyPlaces(let maximum):
      "has more than \(maximum) places; cut out a part: 'osmium extract --bbox W,S,E,N FILE -o PART.osm.pbf'"
    }
  }
}
