import FencepostCalDAVServer
import FencepostCertificates
import FencepostDaemon
import FencepostJSON
import FencepostSpatiotemporal
import FoundationEssentials
import Glibc

/// How phones know that a server is the right one.
enum ServerIdentity: Hashable {
  /// A certificate of an authority that is made here.
  case own
  /// A certificate and its key, by their paths.
  case files(certificate: String, key: String)
  /// A proxy on this machine has the certificate.
  case proxy
}

/// The server's setting, and the files that it needs.
struct ServerSetup {
  /// The hosts by which phones reach it, the one for QR codes first.
  let hosts: [String]
  let port: UInt16
  let identity: ServerIdentity
  /// The folder of the certificates that are made here.
  let folder: String

  var authorityFile: String { folder + "/authority.crt" }
  private var authorityKeyFile: String { folder + "/authority.key" }
  var chainFile: String { folder + "/server.crt" }
  var keyFile: String { folder + "/server.key" }
  /// The configuration profile with the authority's certificate, for Apple's devices.
  var profileFile: String { folder + "/fencepost.mobileconfig" }

  /// The value of `server` in the settings, as JSON.
  var setting: String {
    var fields: [(String, String)] = []
    switch identity {
    case .own:
      fields = [
        ("certificate-file", JSONEscaping.minimal.quoted(chainFile)),
        ("key-file", JSONEscaping.minimal.quoted(keyFile)),
      ]
    case .files(let certificate, let key):
      fields = [
        ("certificate-file", JSONEscaping.minimal.quoted(certificate)),
        ("key-file", JSONEscaping.minimal.quoted(key)),
      ]
    case .proxy: fields = [("proxy", "true")]
    }
    let address = identity == .proxy ? "http://127.0.0.1:\(port)" : "https://0.0.0.0:\(port)"
    fields.insert(("address", JSONEscaping.minimal.quoted(address)), at: 0)
    fields.append(("host", "[" + hosts.map(JSONEscaping.minimal.quoted).joined(separator: ", ") + "]"))
    return "{\n" + fields.map { "    \"\($0.0)\": \($0.1)" }.joined(separator: ",\n") + "\n  }"
  }

  /// Makes the authority, if there is none, and a certificate for the hosts, if there is none that fits and
  /// lasts another month.
  ///
  /// - Returns: What was written, in words; empty if all was there.
  func makeCertificates(machine: String, at now: Instant) throws -> [String] {
    guard identity == .own else { return [] }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("can't make the folder \(folder): \(error)")
    }
    var written: [String] = []
    let authority: CertificateAuthority
    if let certificate = Self.text(authorityFile), let key = Self.text(authorityKeyFile) {
      authority = CertificateAuthority(certificate: certificate, key: key)
    } else {
      authority = try CertificateAuthority(named: "Fencepost on \(machine)", at: now)
      try Self.write(authority.key, to: authorityKeyFile)
      try Self.write(authority.certificate, to: authorityFile)
      unlink(chainFile)
      written.append("an authority of your own: \(authorityFile)")
    }
    let known = Self.text(chainFile).flatMap { try? CertificateFacts(reading: $0) }
    let fits = known.map { facts in
      hosts.allSatisfy(facts.hosts.contains) && facts.end.seconds(since: now) > 30 * 86_400
    }
    if fits != true || access(keyFile, R_OK) != 0 {
      let issued = try authority.issue(for: hosts, at: now)
      // The key first: a server that reads both in between finds no pair, and keeps its own.
      try Self.write(issued.key, to: keyFile)
      try Self.write(issued.chain, to: chainFile)
      written.append("a certificate for \(hosts.joined(separator: ", ")): \(chainFile)")
    }
    if access(profileFile, R_OK) != 0 || !written.isEmpty,
      let profile = AuthorityProfile.propertyList(ofChain: authority.certificate)
    {
      try Self.write(String(decoding: profile, as: UTF8.self), to: profileFile)
      written.append("a profile for iPhones: \(profileFile)")
    }
    return written
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes a file that only its owner may read.
  private static func write(_ text: String, to path: String) throws {
    try AtomicFile(path: path, isPrivate: true).finish(text)
  }
}
