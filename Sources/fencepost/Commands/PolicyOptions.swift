import CalendarModel
import CommandLineTable
import Geofencing
import Phrases

extension FencepostTable {
  /// The options of the policy that detects crossings.
  static let policy: [Option] = [
    .value(
      "policy", "NAME", completion: .choices(["robust", "exact"]), default: "robust", category: "Policy",
      "Decide enter and leave as a person would, or to the letter of each fix"),
    .value(
      "cushion", "LENGTH", default: "2m", category: "Policy", "How far past the boundary says nothing yet"),
    .value(
      "hold", "SPAN", default: "25s", category: "Policy",
      "For how long a receiver's errors stay alike, so that fixes count as one"),
    .value("max-accuracy", "LENGTH", default: "400m", category: "Policy", "Turn less accurate fixes away"),
    .value(
      "max-speed", "SPEED", default: "360km/h", category: "Policy",
      "Doubt a fix that only something faster could have reached"),
    .value(
      "certainty", "ODDS", default: "55", category: "Policy",
      "How many times likelier a crossing must be than none to be believed"),
  ]
}

extension CommandContext {
  /// The policy from options and settings.
  func policy() throws -> Policy {
    let isExact = try settings.value(.policy) { name in
      guard ["robust", "exact"].contains(name) else {
        throw WordError("policy", name, try: "robust or exact")
      }
      return name == "exact"
    }
    if isExact == true {
      let details: [SettingName] = [.cushion, .hold, .maxAccuracy, .maxSpeed, .certainty]
      if let stray = details.first(where: { parsed.argument($0.option)?.index != nil }) {
        throw parsed.misuse("--\(stray.option) is a setting of the robust policy; the exact one has none")
      }
      return .exact
    }
    var parameters = RobustParameters()
    if let cushion = try settings.value(.cushion, as: LengthPhrase.metres) { parameters.cushion = cushion }
    if let hold = try settings.value(.hold, as: SpanPhrase.seconds) { parameters.hold = hold }
    if let most = try settings.value(.maxAccuracy, as: LengthPhrase.metres) { parameters.maxAccuracy = most }
    if let most = try settings.value(.maxSpeed, as: SpeedPhrase.metresPerSecond) {
      parameters.maxSpeed = most
    }
    if let odds = try settings.value(.certainty, as: OddsPhrase.logarithm) { parameters.certainty = odds }
    return .robust(parameters)
  }
}
