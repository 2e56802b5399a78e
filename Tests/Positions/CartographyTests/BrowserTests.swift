import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostCartography

/// The page in a browser, if one is installed.
@Suite("The page in Chromium", .enabled(if: Browser.path != nil, "chromium is not installed"), .serialized)
struct BrowserTests {
  @Test("It opens without errors, shows tracks, fences and alarms, and responds to input")
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

  @Test("It shows counts and a legend, and dashes the parts without positions")
  func legend() throws {
    let answers = try Browser.run(SampleMap.map.page())
    #expect(answers["head"]?.contains("12,345 fixes, 1.5 km, 67 rejected") == true)
    #expect(
      answers["legend"]
        == "way|no positions|place crossed|other place|rejected fix|arrived|at a time|several alarms")
    #expect(answers["dashes"] == "true")
    #expect(
      try Browser.run(TraceMap(title: "Nothing").page())["head"]?.contains("No alarm went off.") == true)
  }

  @Test(
    "Labels cover neither each other nor the pins and stay in the picture, and a tip is whole",
    arguments: ["1280,800", "500,800"])
  func crowded(size: String) throws {
    let answers = try Browser.run(SampleMap.crowdedMap.page(), size: size)
    #expect(Int(answers["labels"] ?? "") ?? 0 >= 2, "some are shown")
    #expect(answers["clashes"] == "")
    #expect(answers["tipinside"] == "true")
    #expect(
      answers["tip"]?.contains("A reminder with so many words that it takes two lines, number 0") == true)
    #expect(answers["tip"]?.contains(#/and \d+ more$/#) == true, "\(answers["tip"] ?? "")")
    #expect(
      answers["rows"]?.hasPrefix(
        "1A reminder with so many words that it takes two lines, number 0arrived at A place08:05–09:06")
        == true)
    // In a narrow picture the slider has its own row.
    #expect(answers["sliderrow"] == (size.hasPrefix("500") ? "true" : "false"))
  }

  @Test("Hostile titles appear as text and have no effect")
  func hostile() throws {
    let answers = try Browser.run(SampleMap.hostileMap.page())
    #expect(answers["ready"] == "2 2 2")
    #expect(answers["images"] == "0")
    #expect(answers["rows"]?.contains("</script><img src=x onerror=alert(1)>'\"&amp;") == true)
  }

  @Test("An empty map opens too")
  func nothing() throws {
    #expect(try Browser.run(TraceMap(title: "Nothing").page())["ready"] == "0 0 0")
  }
}

/// Headless Chromium.
enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  /// The actions of a reader on the page. Each result becomes an attribute of the root element.
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
      say("head", document.querySelector("aside header").textContent);
      say("legend", [...document.querySelectorAll(".legend li")].map((entry) => entry.textContent).join("|"));
      say("dashes", seen.dashes.some((dash) => dash.join() === "2,6"));
      const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
      const boxes = [...seen.texts.values()];
      const labels = boxes.filter((box) => box.text.startsWith("A place"));
      const clashes = labels.flatMap((label, i) => [
        ...boxes.filter((other) => other !== label && overlap(label, other)).map((other) => `${label.text} on ${other.text}`),
        ...(label.x < 0 || label.y < 0 || label.x + label.w > canvas.clientWidth || label.y + label.h > canvas.clientHeight
          ? [`${label.text} leaves`] : [])]);
      say("labels", labels.length);
      say("clashes", clashes.join("; "));
      const bottom = document.getElementById("play").getBoundingClientRect().bottom;
      say("sliderrow", document.getElementById("slider").getBoundingClientRect().top >= bottom);
      const pin = boxes.find((box) => box.text.includes(" +"));
      if (pin) {
        const at = { clientX: pin.x + pin.w / 2, clientY: pin.y + pin.h / 2, bubbles: true, pointerId: 1 };
        canvas.dispatchEvent(new PointerEvent("pointermove", at));
        const tip = document.getElementById("tip"), box = tip.getBoundingClientRect();
        say("tip", tip.textContent);
        const main = document.querySelector("main").getBoundingClientRect();
        say("tipinside", box.height > 0 && box.left >= main.left && box.top >= main.top && box.right <= main.right
          && box.bottom <= main.bottom && tip.scrollHeight <= tip.clientHeight + 1);
      }
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
      // The page draws it one frame later.
      requestAnimationFrame(() => requestAnimationFrame(() => {
        say("zoomed", canvas.toDataURL() !== before);
        document.getElementById("play").click();
        say("playing", document.getElementById("play").getAttribute("aria-label"));
      }));
    }, 500);
    </script>
    """

  /// Timers instead of animation frames: the browser's virtual clock waits for timers, but not for frames.
  private static let frames = """
    <script nonce="page">
    const seen = { texts: new Map(), dashes: [] };
    const { fillText, setLineDash } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      const w = this.measureText(text).width;
      seen.texts.set(text, { text, x: x - (this.textAlign === "center" ? w / 2 : 0), y: y - 6, w, h: 12 });
      fillText.call(this, text, x, y);
    };
    CanvasRenderingContext2D.prototype.setLineDash = function (dash) {
      seen.dashes.push(dash);
      setLineDash.call(this, dash);
    };
    requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
    ResizeObserver = class {
      constructor(tell) { this.tell = tell; }
      observe() { setTimeout(this.tell); }
    };
    </script>
    """

  /// Opens `page`, runs the probe, and returns its results.
  ///
  /// - Throws: ``Failure`` if the console shows a message, or the script fails.
  static func run(_ page: String, size: String = "1000,700") throws -> [String: String] {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      page.replacingOccurrences(of: "<body>", with: "<body>" + frames)
        .replacingOccurrences(of: "</body>", with: probe + "</body>"), to: "page.html")
    let process = Process()
    // A browser that hangs must not hang the test.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = [
      "--kill-after=5", "40", path ?? "",
      "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--user-data-dir=\(directory.path("profile"))",
      "--window-size=\(size)", "--enable-logging=stderr", "--virtual-time-budget=3000", "--timeout=20000",
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
