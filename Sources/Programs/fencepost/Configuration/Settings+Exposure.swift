import FencepostChannels
import FencepostConfiguration
import FencepostDaemon
import FencepostLiveFeeds
import Glibc

extension Settings {
  /// The files that contain secrets and that other users can read: the settings file, if an address in it has
  /// a secret, and the secret files of feeds and channels.
  func exposedFiles() throws -> [String] {
    var files: [String] = []
    for (name, holdsSecret) in [
      (SettingName.feeds, Self.feedHoldsSecret), (.channels, Self.channelHoldsSecret),
    ] {
      for value in try setting(name).values {
        guard case .file(let path, _) = value.origin else { continue }
        if try holdsSecret(value.password?.rest ?? value.text) { files.append(path) }
        if let password = value.password { files.append(password.file) }
      }
    }
    for value in try setting(.channels).values {
      if let path = try FilteredChannel(value.text).channel.secretFile { files.append(path) }
    }
    var seen: Set<String> = []
    return files.filter { seen.insert($0).inserted && Self.isExposed($0) }
  }

  private static func feedHoldsSecret(_ text: String) throws -> Bool { try FeedAddress(text).holdsSecret }
  private static func channelHoldsSecret(_ text: String) throws -> Bool {
    try FilteredChannel(text).channel.holdsSecret
  }

  private static func isExposed(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 != 0
  }
}
