import Testing

@testable import FencepostWebServer

@Suite("Media types that a client prefers")
struct MediaPreferenceTests {
  @Test(
    "The best type is chosen by quality, and by the most exact range",
    arguments: [
      (nil, "a/json"), ("", "a/json"), ("*/*", "a/json"), ("a/*", "a/json"), ("a/js", "a/js"),
      ("A/JS", "a/js"),
      ("a/json;q=0.5, a/js", "a/js"), ("a/js;q=0.5, a/json", "a/json"), ("a/js;q=0, */*", "a/json"),
      ("a/json;q=0, */*;q=0.1", "a/js"), ("b/c, a/js;q=0.1", "a/js"), ("b/c", nil), ("a/js;type=event", nil),
      ("a/json;q=x", nil), ("a/js ; q=1.0 , a/json; q=0.9", "a/js"), ("nonsense", "a/json"), (",,", "a/json"),
      ("a/json;q=nan", nil), ("a/json;q=-1, a/js;q=9", "a/js"),
    ] as [(String?, String?)])
  func choice(accept: String?, expected: String?) {
    #expect(MediaPreference(accept: accept).choose(among: ["a/json", "a/js"]) == expected)
  }

  @Test("Parameters of a range must be those of the type")
  func parameters() {
    let preference = MediaPreference(accept: "a/js;type=task, a/json;q=0.2")
    #expect(preference.choose(among: ["a/json", "a/js;type=task"]) == "a/js;type=task")
    #expect(preference.choose(among: ["a/json", "a/js;type=event"]) == "a/json")
  }
}
