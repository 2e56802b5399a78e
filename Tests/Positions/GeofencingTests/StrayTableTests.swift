import Testing

@testable import FencepostGeofencing

@Suite("The table of evidence")
struct StrayTableTests {
  private let table = StrayTable(RobustParameters())

  @Test(
    "It has the values of the formula",
    arguments: [
      (StrayTable.Kind.usual, RobustParameters().strays),
      (.afterSilence, RobustParameters().straysAfterSilence),
    ])
  func values(kind: StrayTable.Kind, strays: Double) {
    for step in -60_000...60_000 {
      let deviations = Double(step) / 10_000
      let exact = StrayTable.logOdds(deviations: deviations, strays: strays)
      #expect(abs(table.logOdds(deviations: deviations, of: kind) - exact) < 1e-4)
    }
  }

  @Test(
    "Beyond the table depth adds nothing", arguments: [6, 6.5, 1e9, .greatestFiniteMagnitude, .infinity])
  func ends(deviations: Double) {
    for kind in StrayTable.Kind.allCases {
      let most = table.logOdds(deviations: 6, of: kind)
      #expect(table.logOdds(deviations: deviations, of: kind) == most)
      #expect(table.logOdds(deviations: -deviations, of: kind) == -most)
    }
    #expect(table.logOdds(deviations: .nan, of: .usual).isFinite)
  }
}
