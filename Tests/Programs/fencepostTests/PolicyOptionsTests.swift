import FencepostCommandLineTable
import FencepostGeofencing
import FencepostPhrases
import Testing

@testable import fencepost

@Suite("The options of the policy")
struct PolicyOptionsTests {
  /// The default of an option, as help shows it.
  private func printed(_ key: ValueKey) throws -> String {
    let option = try #require(FencepostTable.policyOptions.first(where: { $0.name == key.name }))
    return try #require(option.value?.defaultText)
  }

  @Test("Help shows the policy's own defaults")
  func defaults() throws {
    let usual = RobustParameters()
    #expect(try LengthPhrase.metres(printed(.cushion)) == usual.cushion)
    #expect(try SpanPhrase.seconds(printed(.hold)) == usual.hold)
    #expect(try LengthPhrase.metres(printed(.maxAccuracy)) == usual.maxAccuracy)
    #expect(try SpeedPhrase.metresPerSecond(printed(.maxSpeed)) == usual.maxSpeed)
    #expect(try printed(.certainty) == OddsPhrase.text(usual.certainty))
  }
}
