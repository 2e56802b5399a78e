import FencepostAlgorithms

/// The names of new objects.
public enum ObjectName {
  /// The name of the resource or file for a UID: the UID if it is safe in an address, otherwise a number from
  /// it. Always the same, so that a retry after a lost answer does not create the object twice.
  public static func fileName(of uid: String) -> String {
    let isPlain = uid.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || [0x2D, 0x5F].contains(byte)
    }
    return isPlain && (1...128).contains(uid.utf8.count)
      ? "\(uid).ics" : "fencepost-\(StableHash(of: uid).text).ics"
  }
}
