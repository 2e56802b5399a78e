/// The style sheet of a picture. It uses plain colours and a second set for dark mode, because some SVG
/// viewers don't support CSS variables.
enum SVGStyle {
  /// The number of track colours.
  static let wayColors = 5

  static let text = """

    .ground{fill:#f7f6f2}.grid{fill:none;stroke:#e6e3da}
    text{fill:#1f2328}.aside{fill:#646a73}.end-aligned{text-anchor:end}.heading{font-size:16px;font-weight:600}
    .fence{fill:#8a8f98;fill-opacity:.08;stroke:#8a8f98;stroke-dasharray:4 3}
    .fence.crossed{fill:#c98500;fill-opacity:.14;stroke:#b07400;stroke-width:1.4;stroke-dasharray:none}
    .casing{fill:none;stroke:#fff;stroke-width:5;stroke-linejoin:round;stroke-linecap:round}
    .gap{fill:none;stroke-width:2;stroke-dasharray:2 6;stroke-linecap:round}
    .way{fill:none;stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round}
    .way0{stroke:#2563eb}.way1{stroke:#c026d3}.way2{stroke:#0f766e}.way3{stroke:#b91c1c}.way4{stroke:#6d28d9}
    .start{fill:#fff;stroke-width:2.6}.end{stroke:#fff;stroke-width:2}
    .end.way0{fill:#2563eb}.end.way1{fill:#c026d3}.end.way2{fill:#0f766e}.end.way3{fill:#b91c1c}.end.way4{fill:#6d28d9}
    .end.way0,.end.way1,.end.way2,.end.way3,.end.way4{stroke:#fff}
    .stray{fill:none;stroke:#9aa0a8;stroke-width:1.2}
    .pin rect{stroke:#fff;stroke-width:1.5}.pin text{fill:#fff;font-size:12px;font-weight:600;text-anchor:middle}
    .enter rect{fill:#157a3c}.leave rect{fill:#c2410c}.dwell rect{fill:#7c3aed}.time rect{fill:#475569}.several rect{fill:#1f2937}
    .name{text-anchor:middle;fill:#646a73;stroke:#f7f6f2;stroke-width:3.5;stroke-linejoin:round;paint-order:stroke}
    .name.crossed{fill:#6b4700;font-weight:600}
    .scale{fill:none;stroke:#646a73;stroke-width:1.5}.north path{fill:#646a73}.north text{fill:#646a73;text-anchor:middle;font-size:12px}
    @media (prefers-color-scheme:dark){
    .ground{fill:#15191f}.grid{stroke:#232932}text{fill:#e6e9ee}.aside{fill:#98a1ad}
    .fence{fill:#98a1ad;stroke:#6f7884}.fence.crossed{fill:#f2b53a;stroke:#d79a22}
    .casing{stroke:#15191f}.way0{stroke:#6ea8ff}.way1{stroke:#ee82f5}.way2{stroke:#3ecdbd}.way3{stroke:#ff8a80}.way4{stroke:#b79bff}
    .start{fill:#15191f}.end.way0{fill:#6ea8ff}.end.way1{fill:#ee82f5}.end.way2{fill:#3ecdbd}.end.way3{fill:#ff8a80}.end.way4{fill:#b79bff}
    .end.way0,.end.way1,.end.way2,.end.way3,.end.way4,.pin rect{stroke:#15191f}
    .pin text{fill:#fff}.several rect{fill:#3d4755}.time rect{fill:#5b6778}.stray{stroke:#5d6570}
    .name{fill:#98a1ad;stroke:#15191f}.name.crossed{fill:#f4c766}
    .scale{stroke:#98a1ad}.north path,.north text{fill:#98a1ad}
    }

    """
}
