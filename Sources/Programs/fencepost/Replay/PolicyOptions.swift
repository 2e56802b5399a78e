import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostGeofencing
import FencepostPhrases

extension FencepostTable {
  /// The options of the policy that detects crossings.
  static let policyOptions: [Option] = [
    .value(
      .policy, "NAME", completion: .choices(["robust", "exact"]), default: "robust", category: "Policy",
      "`robust` tolerates noise; `exact` follows each position"),
    .value(
      .cushion, "LENGTH", default: "2m", category: "Policy",
      "Distance from the boundary that is too close to decide"),
    .value(
      .hold, "SPAN", default: "25s", category: "Policy",
      "Time in which positions have the same error, so that they count as one"),
    .value(.maxAccuracy, "LENGTH", default: "400m", category: "Policy", "Reject less accurate positions"),
    .value(
      .maxSpeed, "SPEED", default: "360km/h", category: "Policy",
      "Doubt positions that need a higher speed"),
    .value(
      .certainty, "ODDS", default: OddsPhrase.text(RobustParameters().certainty), category: "Policy",
      "Odds at which a device has left; arriving needs less"),
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
      if let stray = details.first(where: { parsed.isTyped($0.option) }) {
        throw parsed.misuse(
          "--\(stray.option.name) applies to the robust policy only")
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
