import Foundation
import TestSupport
import Testing

@testable import Cartography

/// The page in a browser, where there is one.
@Suite("The page in Chromium", .enabled(if: Browser.path != nil, "chromium is not installed"), .serialized)
struct BrowserTests {
  @Test("It opens without a complaint, shows ways, fences and alarms, and does what it is told")
  func opens() throws {
    let answers = try Browser.run(SampleMap.map.page())
    #expect(answers["ready"] == "2 2 2")
    for what in ["way", "fence", "enter", "time"] {
      #expect(Int(answers[what] ?? "") ?? 0 > 20, "pixels of \(what): \(answers[what] ?? "none")")
    }
    #expect(answers["now"] == "Sat, 2 May 2026, 10:20:00")
    #expect(answers["rows"] == "1Buy rollsarrived at Bakery10:08:20 2Ring the bell10:17:30")

    // A click on an alarm goes there, the slider goes through time, keys zoom.
    #expect(answers["clicked"] == "Sat, 2 May 2026, 10:08:40", "when it went off")
    #expect(answers["current"] == "1")
    #expect(answers["slid"] == "Sat, 2 May 2026, 10:00:00")
    #expect(answers["later"] == "2")
    #expect(answers["zoomed"] == "true")
    #expect(answers["playing"] == "Pause")
  }

  @Test("Hostile titles are shown and do nothing")
  func hostile() throws {
    let answers = try Browser.run(SampleMap.hostileMap.page())
    #expect(answers["ready"] == "2 2 2")
    #expect(answers["images"] == "0")
    #expect(answers["rows"]?.contains("</script><img src=x onerror=alert(1)>'\"&amp;") == true)
  }

  @Test("A map of nothing opens too")
  func nothing() throws {
    #expect(try Browser.run(TraceMap(title: "Nothing").page())["ready"] == "0 0 0")
  }
}

/// Chromium without a window.
enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  /// What a reader does on the page, and what is seen of it, each answer an attribute of the root element.
  private static let probe = """
    <script nonce="page">
    addEventListener("error", (event) => (document.documentElement.dataset.error = event.message));
    const say = (name, value) => (document.documentElement.dataset[name] = value);
    setTimeout(() => {
      const canvas = document.getElementById("map"), style = getComputedStyle(document.documentElement);
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const count = (name) => {
        const [r, g, b] = style.getPropertyValue(name).match(/\\w\\w/g).map((hex) => parseInt(hex, 16));
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count++;
        return count;
      };
      say("way", count("--way0"));
      say("fence", count("--crossed"));
      say("enter", count("--enter"));
      say("time", count("--time"));
      say("now", document.getElementById("now").textContent);
      say("rows", [...document.querySelectorAll("ol button")].map((row) => row.textContent).join(" "));
      say("images", document.images.length);
      const row = document.querySelector("ol button");
      if (!row) return;
      row.click();
      say("clicked", document.getElementById("now").textContent);
      say("current", document.querySelector("[aria-current] .badge").textContent);
      const slider = document.getElementById("slider");
      slider.value = 0;
      slider.dispatchEvent(new Event("input"));
      say("slid", document.getElementById("now").textContent);
      say("later", document.querySelectorAll("ol .later").length);
      const before = canvas.toDataURL();
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
      // A frame later it is drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => {
        say("zoomed", canvas.toDataURL() !== before);
        document.getElementById("play").click();
        say("playing", document.getElementById("play").getAttribute("aria-label"));
      }));
    }, 500);
    </script>
    """

  /// Frames by timer: the browser's hurried clock waits for timers, but not for frames to be drawn.
  private static let frames = """
    <script nonce="page">
    requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
    ResizeObserver = class {
      constructor(tell) { this.tell = tell; }
      observe() { setTimeout(this.tell); }
    };
    </script>
    """

  /// Opens `page`, does what the probe does, and returns its answers.
  ///
  /// - Throws: ``Failure`` where the console says anything, or the script failed.
  static func run(_ page: String) throws -> [String: String] {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      page.replacingOccurrences(of: "<body>", with: "<body>" + frames)
        .replacingOccurrences(of: "</body>", with: probe + "</body>"), to: "page.html")
    let process = Process()
    // A browser that hangs is no reason for a test to.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = [
      "--kill-after=5", "40", path ?? "",
      "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--user-data-dir=\(directory.path("profile"))",
      "--window-size=1000,700", "--enable-logging=stderr", "--virtual-time-budget=3000", "--timeout=20000",
      "--dump-dom", "file://\(file)",
    ]
    let (output, log) = (directory.path("dom.html"), directory.path("log.txt"))
    for path in [output, log] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
    process.waitUntilExit()
    let console = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter {
      $0.contains("CONSOLE")
    }
    guard console.isEmpty else { throw Failure(description: console.joined(separator: "\n")) }
    let dom = try String(contentsOfFile: output, encoding: .utf8)
    var answers: [String: String] = [:]
    guard let root = dom.range(of: "<html"),
      let end = dom.range(of: "<head>", range: root.upperBound..<dom.endIndex)
    else { throw Failure(description: "no page came out: \(dom.prefix(200))") }
    for match in dom[root.upperBound..<end.lowerBound].matches(of: #/data-(\w+)="([^"]*)"/#) {
      answers[String(match.1)] = String(match.2).replacingOccurrences(of: "&quot;", with: "\"")
        .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
        .replacingOccurrences(of: "&amp;", with: "&")
    }
    if let error = answers["error"] { throw Failure(description: error) }
    return answers
  }
}
