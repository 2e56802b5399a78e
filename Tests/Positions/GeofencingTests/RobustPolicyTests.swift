import FencepostGeodesy
import FencepostGeofencing
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

/// What fixes along a line through a fence lead to.
///
/// The fence reaches from -100 to 100 metres. A line of the story is so many fixes, so many seconds apart, at
/// a place that moves evenly from one number of metres to another.
struct Story: CustomTestStringConvertible, Sendable {
  struct Part: Sendable {
    var fixes: Int
    var seconds: Double
    var from: Double
    var to: Double
    var accuracy: Double?

    init(_ fixes: Int, every seconds: Double, _ from: Double, to: Double? = nil, accuracy: Double? = 8) {
      self.fixes = fixes
      self.seconds = seconds
      self.from = from
      self.to = to ?? from
      self.accuracy = accuracy
    }
  }

  var testDescription: String
  var parts: [Part]
  /// `+` an enter, `-` a leave.
  var expected: String

  init(_ description: String, _ expected: String, _ parts: Part...) {
    testDescription = description
    self.expected = expected
    self.parts = parts
  }

  static let center = Coordinate(latitude: -33.8, longitude: 151.2)
  static let fence = Fence(id: FenceID(rawValue: 1), region: .circle(center: center, radius: 100))

  var fixes: [Fix] {
    var fixes: [Fix] = []
    var time = 1_700_000_000.0
    for part in parts {
      for number in 0..<part.fixes {
        time += part.seconds
        let share = part.fixes > 1 ? Double(number) / Double(part.fixes - 1) : 0
        fixes.append(Story.fix(time, part.from + (part.to - part.from) * share, part.accuracy))
      }
    }
    return fixes
  }

  static func fix(_ time: Double, _ east: Double, _ accuracy: Double? = 8) -> Fix {
    Fix(
      time: Instant(microseconds: Int64(time * 1e6)),
      coordinate: Geodesic.destination(from: center, azimuth: 90, metres: east), horizontalAccuracy: accuracy)
  }

  static let all = [
    Story(
      "walks in, stays, walks out", "+-", .init(60, every: 5, -400, to: 0), .init(60, every: 5, 0),
      .init(60, every: 5, 0, to: 400)),
    Story("drives in at a fix a minute", "+", .init(6, every: 60, -3_500, to: -600), .init(5, every: 60, 0)),
    Story("stays next door", "", .init(20, every: 5, -400, to: -130), .init(300, every: 5, -130)),
    Story(
      "one fix strays in", "", .init(50, every: 5, -250), .init(1, every: 5, 0), .init(50, every: 5, -250)),
    Story(
      "three fixes stray out for a minute and a half", "", .init(50, every: 30, 0), .init(3, every: 30, 700),
      .init(50, every: 30, 0)),
    Story(
      "a second's leap and back", "", .init(99, every: 1, 0), .init(3, every: 1, 500), .init(99, every: 1, 0)),
    Story("leaps and stays there", "-", .init(99, every: 1, 0), .init(99, every: 1, 900, to: 910)),
    Story(
      "kilometres of doubt while at home", "", .init(50, every: 10, 0),
      .init(9, every: 10, 800, accuracy: 1_200),
      .init(50, every: 10, 0)),
    Story(
      "doubt that reaches over the boundary", "", .init(9, every: 30, -180),
      .init(3, every: 30, -90, accuracy: 90),
      .init(9, every: 30, -180)),
    Story(
      "says no accuracy at all", "+-", .init(30, every: 10, -500, to: 0, accuracy: nil),
      .init(30, every: 10, 0, accuracy: nil), .init(30, every: 10, 0, to: 500, accuracy: nil)),
    Story(
      "leaves in an outage", "-", .init(50, every: 10, 0), .init(1, every: 600, 2_000),
      .init(9, every: 10, 2_001, to: 2_010)),
    Story(
      "walks along the edge", "", .init(9, every: 5, -103), .init(9, every: 5, -101), .init(9, every: 5, -99),
      .init(9, every: 5, -103)),
    Story(
      "drives straight through between two fixes", "+-", .init(5, every: 10, -1_100, to: -125),
      .init(1, every: 12, 125),
      .init(5, every: 10, 380, to: 1_400)),
    Story(
      "drives by where it may have gone round", "", .init(5, every: 30, -3_600, to: -800),
      .init(5, every: 30, 100 + 500, to: 3_600)),
  ]
}

@Suite("The robust policy")
struct RobustPolicyTests {
  @Test("Stories along a line", arguments: Story.all)
  func stories(story: Story) {
    let transitions = run(story.fixes, against: [Story.fence], .robust).transitions
    #expect(transitions.map { $0.kind == .enter ? "+" : "-" }.joined() == story.expected)
    for transition in transitions {
      #expect((transition.confirmedAt ?? transition.time) >= transition.fix.time)
      #expect(transition.time <= transition.fix.time)
    }
  }

  @Test("A crossing is dated to when the boundary was met, not to when it was sure")
  func dating() throws {
    let fixes = Story("", "+", .init(81, every: 5, -400, to: 0)).fixes
    let enter = try #require(run(fixes, against: [Story.fence], .robust).transitions.first)
    // 5 m a fix: the boundary at -100 is met 60 fixes after the first.
    let first = try #require(fixes.first)
    #expect(abs(enter.time.seconds(since: first.time) - 300) < 0.5)
    #expect(enter.isInterpolated)
    let sure = try #require(enter.confirmedAt)
    #expect(sure > enter.time && sure.seconds(since: enter.time) < 60)
  }

  @Test(
    "Crossings at one time are in the order of fence numbers, in whichever order the fences came",
    arguments: [Policy.exact, .robust])
  func orderOfFirstLooks(policy: Policy) {
    let center = Coordinate(latitude: 10, longitude: -179.998)
    var random = SeededRandom(seed: 5)
    for _ in 0..<10 {
      // Large ones are kept apart, without an order.
      let fences = [100, 500, 3_000, 200_000, 300_000, 400_000, 500_000].enumerated().map { number, radius in
        Fence(
          id: FenceID(rawValue: Int64(number)), region: .circle(center: center, radius: radius),
          reportsInitialPresence: true)
      }
      let fix = Fix(time: Instant(seconds: 1), coordinate: center, horizontalAccuracy: 5)
      let transitions = run([fix], against: fences.shuffled(using: &random), policy).transitions
      #expect(transitions.map(\.fence.rawValue) == Array(0..<7))
    }
  }

  @Test("A clock that leaps is believed when a second fix says the same")
  func clockLeap() {
    let now = 1_700_000_000.0
    let before = (0..<20).map { Story.fix(now + Double($0) * 10, 0) }
    // Lone leaps to 2058 and to 1970 among good fixes change nothing.
    let strays = before + [Story.fix(2_800_000_000, 5_000), Story.fix(0, 5_000)]
    let after = (20..<40).map { Story.fix(now + Double($0) * 10, 0) }
    let lone = run(strays + after, against: [Story.fence], .robust)
    #expect(lone.transitions.isEmpty)
    #expect(lone.counts.admitted == 40)
    #expect(lone.counts[.clockJump] == 2)
    // A clock that starts in 1970 and is then set right.
    let set = (0..<3).map { Story.fix(Double($0 * 10), 0) } + after
    let right = run(set, against: [Story.fence], .robust)
    #expect(right.transitions.isEmpty)
    #expect(right.counts.admitted == 23)
    // A clock that was years ahead.
    let ahead = (0..<3).map { Story.fix(2_800_000_000 + Double($0 * 10), 0) } + after
    #expect(run(ahead, against: [Story.fence], .robust).counts.admitted == 23)
  }

  @Test("What is told of a visit ends with a crossing each way")
  func judgements() throws {
    let story = try #require(Story.all.first)
    let evaluator = FenceEvaluator(policy: .robust, index: FenceIndex([Story.fence]))
    var state = DeviceState()
    var transitions: [Transition] = []
    var judgements: [Judgement] = []
    for fix in story.fixes {
      evaluator.evaluate(fix, state: &state, into: &transitions) { judgements.append($0) }
    }
    let crossings = judgements.filter { $0.outcome == .crossed }
    #expect(crossings.map(\.time) == transitions.map(\.fix.time))
    #expect(crossings.map(\.believedInside) == [false, true])
    #expect(crossings.allSatisfy { $0.evidence >= $0.needed })
    #expect(crossings.map { $0.needed > RobustParameters().certainty - 1 } == [false, true])
    #expect(judgements.filter { $0.outcome == .doubtful }.count > 2)
  }

  @Test("Why fixes are turned away")
  func reasons() {
    let now = 1_700_000_000.0
    let fixes = [
      // What came before the first fix may count late, but not twice.
      Story.fix(now, 0), Story.fix(now, 0), Story.fix(now - 5, 0), Story.fix(now - 5, 0),
      Story.fix(now + 5, 0, 900),
      Story.fix(now + 6, 90_000), Story.fix(now + 10, 0),
      Fix(time: Instant(seconds: 1_700_000_020), coordinate: Coordinate(latitude: 0, longitude: 0)),
    ]
    let counts = run(fixes, against: [Story.fence], .robust).counts
    #expect(counts.fixes == 8)
    #expect(counts.admitted == 3)
    let reasons = counts.rejected.map { "\($0.reason.rawValue) \($0.count)" }
    #expect(reasons == ["duplicate 1", "late 1", "bad_coordinate 1", "imprecise 1", "impossible_speed 1"])
  }

  @Test(
    "Parameters that make no sense break nothing", arguments: [0, -1, Double.nan, .infinity, -.infinity])
  func senselessParameters(value: Double) {
    var parameters = RobustParameters()
    for path in [
      \RobustParameters.cushion, \.hold, \.maxAccuracy, \.maxSpeed, \.maxAcceleration, \.minimumAgreement,
      \.certainty,
      \.assumedAccuracy, \.minAccuracy,
    ] {
      parameters[keyPath: path] = value
      for story in Story.all { _ = run(story.fixes, against: [Story.fence], .robust(parameters)) }
    }
  }
}
