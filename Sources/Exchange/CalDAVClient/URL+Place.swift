import FoundationEssentials

extension URL {
  /// Host and port, as in `//example.org:443`, also if the port is the usual one.
  var place: String {
    "//\(host?.lowercased() ?? ""):\(port ?? (scheme?.lowercased() == "http" ? 80 : 443))"
  }
}
