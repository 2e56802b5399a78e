/// Who an app is, as far as the system can tell.
public struct AppKey: Hashable, Sendable {
  /// How well the system vouches for it.
  public enum Strength: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The app can't have another key, however hostile: the kernel or the system's manager set it.
    case confined
    /// Says which program of the system was started, not what runs in it now: a program of the same user can
    /// change it from outside or inside.
    case program
    /// A program that its user can replace, known by the hash of its file.
    case file

    /// Weaker first.
    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

    private var rank: Int {
      switch self {
      case .file: 0
      case .program: 1
      case .confined: 2
      }
    }
  }

  /// The key in decisions: `flatpak:ID`, `snap:ID`, `apparmor:LABEL`, `unit:NAME`, `exe:PATH` or
  /// `file:PATH@HASH`.
  public var text: String
  /// How well the system vouches for it.
  public var strength: Strength

  /// A key.
  public init(_ text: String, _ strength: Strength) {
    self.text = text
    self.strength = strength
  }
}

/// Why a peer gets no answer at all.
public enum PeerRefusal: Error, Hashable, Sendable {
  /// It belongs to another user, or root.
  case otherUser
  /// It has ended, or another process has its number now.
  case gone
  /// What the system says of it can't be read or makes no sense; what it is.
  case unclear(String)
}

extension PeerRefusal: CustomStringConvertible {
  /// In words.
  public var description: String {
    switch self {
    case .otherUser: "this socket is for the programs of one user"
    case .gone: "the program that connected has ended"
    case .unclear(let what): "who asks is unclear (\(what))"
    }
  }
}
