package import FencepostAddresses

/// `postgresql://[USER@][HOST[:PORT]]/[DATABASE][?NAME=VALUE…]`: a database, as libpq reads it.
///
/// What it says of passwords is refused: other users of the machine see command lines. libpq finds them in
/// `~/.pgpass` (or `PGPASSFILE`), or in a service file.
///
/// Source: PostgreSQL 15, section 34.1.1.2.
package struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address for libpq.
  let uri: String
  /// The address without its user and parameters.
  package let description: String

  /// Whether a text is meant as such an address.
  package static func isLikely(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("postgresql:") || text.hasPrefix("postgres:")
  }

  /// An address of which the caller has taken its own parameters.
  package init(_ words: AddressParameters) throws(AddressError) {
    guard let mark = words.base.firstRange(of: "://"),
      ["postgresql", "postgres"].contains(words.base[..<mark.lowerBound])
    else {
      throw words.failure("unknown kind of database; use postgresql://HOST/DATABASE?table=NAME")
    }
    let rest = words.base[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
    guard !user.contains(":"),
      !words.words.contains(where: { ["password", "sslpassword"].contains($0.name) })
    else {
      throw words.failure(
        "a password in an address can be seen by others; put it into ~/.pgpass or a service file")
    }
    uri = words.rest
    let place = user.isEmpty ? rest : rest[user.endIndex...].dropFirst()
    description = "postgresql://\(place)"
  }
}
