import CFencepostGnuTLS
public import FencepostSpatiotemporal
import Glibc

/// An authority of one's own, which issues certificates for servers.
public struct CertificateAuthority: Sendable {
  /// Its certificate in PEM, for devices that shall trust it.
  public let certificate: String
  /// Its private key in PEM. Keep it in a file of mode 0600.
  public let key: String

  /// Days that an authority lasts: ten years.
  static let days = 3_653
  /// Days that a server's certificate lasts. Apple's devices accept at most 825
  /// (https://support.apple.com/en-us/103769).
  static let serverDays = 800
  /// Seconds before now from which a certificate is valid, for devices whose clocks are behind.
  private static let margin = 86_400.0

  /// An authority from its files.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// A new authority.
  ///
  /// - Parameters:
  ///   - name: What devices show.
  ///   - now: The current time.
  /// - Throws: ``CertificateError``.
  public init(named name: String, at now: Instant) throws(CertificateError) {
    let key = try PrivateKey()
    let certificate = try X509()
    try certificate.describe(name: name, from: now.adding(seconds: -Self.margin), days: Self.days, key: key)
    // It may issue certificates for servers, and none for other authorities.
    try check(gnutls_x509_crt_set_basic_constraints(certificate.handle, 1, 0), "limit the authority")
    let usage = GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_CRL_SIGN
    try check(gnutls_x509_crt_set_key_usage(certificate.handle, UInt32(usage)), "limit the key")
    try certificate.sign(by: certificate, key)
    self.certificate = try certificate.text()
    self.key = try key.text()
  }

  /// A certificate for a server.
  ///
  /// - Parameters:
  ///   - hosts: Its names and its addresses in numbers, at least one.
  ///   - now: The current time.
  /// - Returns: The certificate followed by the authority's, and the private key, in PEM.
  /// - Throws: ``CertificateError``, also if the authority's own texts can't be read.
  public func issue(
    for hosts: [String], at now: Instant
  ) throws(CertificateError) -> (chain: String, key: String) {
    let issuer = try X509(reading: certificate)
    let issuerKey = try PrivateKey(reading: self.key)
    let key = try PrivateKey()
    let server = try X509()
    try server.describe(
      name: hosts.first ?? "", from: now.adding(seconds: -Self.margin), days: Self.serverDays, key: key)
    for host in hosts { try server.add(host: host) }
    try check(gnutls_x509_crt_set_basic_constraints(server.handle, 0, -1), "limit the certificate")
    try check(
      gnutls_x509_crt_set_key_usage(server.handle, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)), "limit the key")
    try check(
      gnutls_x509_crt_set_key_purpose_oid(server.handle, cgnutls_server_purpose(), 0), "limit the purpose")
    try server.sign(by: issuer, issuerKey)
    return (try server.text() + certificate, try key.text())
  }
}

/// What a certificate says.
public struct CertificateFacts: Hashable, Sendable {
  /// The names and addresses of the server, in order.
  public let hosts: [String]
  /// The last moment of its validity.
  public let end: Instant

  /// Reads the first certificate of a text in PEM.
  ///
  /// - Throws: ``CertificateError``.
  public init(reading text: String) throws(CertificateError) {
    let certificate = try X509(reading: text)
    let time = gnutls_x509_crt_get_expiration_time(certificate.handle)
    guard time >= 0 else { throw CertificateError("read the end of a certificate") }
    end = Instant(seconds: Int64(time))
    hosts = certificate.hosts
  }
}

/// Why a certificate can't be made or read. The description is one line.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, and why.
  public let description: String

  init(_ what: String, code: Int32? = nil) {
    description = "can't \(what)" + (code.map { ": " + String(cString: gnutls_strerror($0)) } ?? "")
  }
}

private func check(_ code: Int32, _ what: String) throws(CertificateError) {
  guard code >= 0 else { throw CertificateError(what, code: code) }
}

/// Calls `body` with a text as GnuTLS takes it.
private func withDatum(_ text: String, _ body: (UnsafePointer<gnutls_datum_t>) -> Int32) -> Int32 {
  var bytes = Array(text.utf8)
  return bytes.withUnsafeMutableBufferPointer { buffer in
    var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
    return body(&datum)
  }
}

/// A text that GnuTLS allocates.
private func text(
  _ what: String, _ body: (UnsafeMutablePointer<gnutls_datum_t>) -> Int32
) throws(CertificateError) -> String {
  var datum = gnutls_datum_t()
  try check(body(&datum), what)
  defer { cgnutls_free(datum.data) }
  return String(decoding: UnsafeBufferPointer(start: datum.data, count: Int(datum.size)), as: UTF8.self)
}

/// A private key of the library.
private final class PrivateKey {
  let handle: gnutls_x509_privkey_t

  private init(empty: Void) throws(CertificateError) {
    var made: gnutls_x509_privkey_t?
    try check(gnutls_x509_privkey_init(&made), "make a key")
    guard let made else { throw CertificateError("make a key") }
    handle = made
  }

  convenience init() throws(CertificateError) {
    try self.init(empty: ())
    try check(gnutls_x509_privkey_generate(handle, GNUTLS_PK_ECDSA, cgnutls_p256(), 0), "make a key")
  }

  convenience init(reading text: String) throws(CertificateError) {
    try self.init(empty: ())
    let handle = handle
    try check(
      withDatum(text) { gnutls_x509_privkey_import2(handle, $0, GNUTLS_X509_FMT_PEM, nil, 0) }, "read a key")
  }

  deinit { gnutls_x509_privkey_deinit(handle) }

  func text() throws(CertificateError) -> String {
    try FencepostCertificates.text("write a key") {
      gnutls_x509_privkey_export2_pkcs8(
        handle, GNUTLS_X509_FMT_PEM, nil, UInt32(GNUTLS_PKCS_PLAIN.rawValue), $0)
    }
  }
}

/// A certificate of the library.
private final class X509 {
  let handle: gnutls_x509_crt_t

  init() throws(CertificateError) {
    var made: gnutls_x509_crt_t?
    try check(gnutls_x509_crt_init(&made), "make a certificate")
    guard let made else { throw CertificateError("make a certificate") }
    handle = made
  }

  convenience init(reading text: String) throws(CertificateError) {
    try self.init()
    let handle = handle
    try check(
      withDatum(text) { gnutls_x509_crt_import(handle, $0, GNUTLS_X509_FMT_PEM) }, "read a certificate")
  }

  deinit { gnutls_x509_crt_deinit(handle) }

  /// Sets name, validity, a random serial number and the key (RFC 5280, section 4.1).
  func describe(name: String, from start: Instant, days: Int, key: PrivateKey) throws(CertificateError) {
    try check(gnutls_x509_crt_set_version(handle, 3), "set the version")
    var random = SystemRandomNumberGenerator()
    var serial = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    // Positive, and of full length.
    serial[0] = serial[0] & 0x3F | 0x40
    try check(gnutls_x509_crt_set_serial(handle, serial, serial.count), "set the serial number")
    let bytes = Array(name.utf8.prefix(64))
    try check(
      gnutls_x509_crt_set_dn_by_oid(handle, GNUTLS_OID_X520_COMMON_NAME, 0, bytes, UInt32(bytes.count)),
      "set the name")
    let seconds = Int(start.microseconds / 1_000_000)
    try check(gnutls_x509_crt_set_activation_time(handle, seconds), "set the time")
    try check(gnutls_x509_crt_set_expiration_time(handle, seconds + days * 86_400), "set the time")
    try check(gnutls_x509_crt_set_key(handle, key.handle), "set the key")
    let identifier = try identifier
    try check(
      gnutls_x509_crt_set_subject_key_id(handle, identifier, identifier.count), "set the key's identifier")
  }

  /// Adds a name or an address of the server.
  func add(host: String) throws(CertificateError) {
    var bytes = [UInt8](repeating: 0, count: 16)
    let (kind, count): (gnutls_x509_subject_alt_name_t, Int) =
      if inet_pton(AF_INET, host, &bytes) == 1 {
        (GNUTLS_SAN_IPADDRESS, 4)
      } else if inet_pton(AF_INET6, host, &bytes) == 1 {
        (GNUTLS_SAN_IPADDRESS, 16)
      } else {
        (GNUTLS_SAN_DNSNAME, host.utf8.count)
      }
    if kind == GNUTLS_SAN_DNSNAME { bytes = Array(host.utf8) }
    try check(
      gnutls_x509_crt_set_subject_alt_name(handle, kind, bytes, UInt32(count), UInt32(GNUTLS_FSAN_APPEND)),
      "name the server '\(host)'")
  }

  func sign(by issuer: X509, _ key: PrivateKey) throws(CertificateError) {
    let identifier = try issuer.identifier
    try check(
      gnutls_x509_crt_set_authority_key_id(handle, identifier, identifier.count), "name the authority")
    try check(
      gnutls_x509_crt_sign2(handle, issuer.handle, key.handle, GNUTLS_DIG_SHA256, 0), "sign a certificate")
  }

  /// The digest of its key.
  private var identifier: [UInt8] {
    get throws(CertificateError) {
      var bytes = [UInt8](repeating: 0, count: 64)
      var size = bytes.count
      try check(
        gnutls_x509_crt_get_key_id(handle, UInt32(GNUTLS_KEYID_USE_SHA1.rawValue), &bytes, &size),
        "identify a key")
      return Array(bytes.prefix(size))
    }
  }

  func text() throws(CertificateError) -> String {
    try FencepostCertificates.text("write a certificate") {
      gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_PEM, $0)
    }
  }

  /// The names and addresses of the server.
  var hosts: [String] {
    var hosts: [String] = []
    for index in UInt32(0)..<256 {
      var bytes = [UInt8](repeating: 0, count: 256)
      var size = bytes.count
      let kind = gnutls_x509_crt_get_subject_alt_name(handle, index, &bytes, &size, nil)
      if kind == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { break }
      guard kind >= 0 else { continue }
      switch gnutls_x509_subject_alt_name_t(rawValue: UInt32(kind)) {
      case GNUTLS_SAN_DNSNAME: hosts.append(String(decoding: bytes.prefix(size), as: UTF8.self))
      case GNUTLS_SAN_IPADDRESS:
        var text = [CChar](repeating: 0, count: 64)
        if inet_ntop(size == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil {
          hosts.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
      default: continue
      }
    }
    return hosts
  }
}
