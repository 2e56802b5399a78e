// How vector streets look: by the layers and words of OpenMapTiles, of Protomaps' base map (4) and of Shortbread.

/** What layers have. Names that two schemas share mean the same. */
const HAVE = {
  water: "water ocean water_polygons waterway water_lines",
  land: "landcover landuse land sites park street_polygons",
  house: "building buildings housenumber addresses",
  road: "transportation roads streets ferries aeroway",
  name: "transportation_name street_labels",
  border: "boundary boundaries",
  place: "place places place_labels",
  lake: "water_name water_polygons_labels",
  spot: "poi pois",
};
/** The table from each word to its row. */
const byWord = (rows) =>
  Object.fromEntries(rows.flatMap(([words, value]) => words.split(" ").map((word) => [word, value])));
const LAYERS = byWord(Object.entries(HAVE).map(([what, names]) => [names, what]));
export const wants = (layer) => layer in LAYERS;

/** Colours on a light and on a dark page. */
const COLORS = {
  water: ["#c3d8e6", "#1c3040"],
  wood: ["#d6e3c9", "#1a2b22"],
  green: ["#e1ebd5", "#1c2a23"],
  sand: ["#f1e8d0", "#29281f"],
  built: ["#efece4", "#191e25"],
  works: ["#ebe8e7", "#1c222b"],
  square: ["#f3f0ea", "#20262e"],
  ice: ["#eef4f7", "#26303a"],
  house: ["#e4dfd5", "#262d36"],
  edge: ["#d6d0c4", "#101419"],
  bridge: ["#a69f92", "#05070a"],
  road: ["#ffffff", "#39424e"],
  main: ["#fbeabf", "#57523f"],
  motorway: ["#f6d190", "#6f5d3b"],
  path: ["#c5b99f", "#434c57"],
  rail: ["#bab6af", "#4c5562"],
  border: ["#a8a0b6", "#5f5c74"],
  placeName: ["#3a4048", "#cdd4dd"],
  streetName: ["#59606b", "#a3adba"],
  lakeName: ["#47708f", "#7ea3c2"],
  number: ["#87857f", "#7b8591"],
  spot: ["#7d5a35", "#c7a887"],
};
export const color = (name, isDark) => COLORS[name][+isDark];

/** Areas from the ground up: colours and words. */
export const AREAS = [
  ["built", "residential suburb neighbourhood urban_area"],
  ["works", "industrial commercial retail quarry railway garages landfill military airfield aerodrome"],
  ["sand", "sand beach"],
  ["ice", "ice glacier"],
  [
    "green",
    "grass grassland park meadow garden recreation_ground golf_course cemetery grave_yard pitch playground scrub " +
    "heath village_green nature_reserve protected_area national_park zoo allotments orchard vineyard wetland stadium " +
    "school kindergarten university college hospital",
  ],
  ["wood", "wood forest"],
  ["square", "pedestrian parking pier platform runway taxiway"],
  ["water", "water"],
  ["house", "house"],
];
const AREA_OF = byWord(AREAS.map(([, words], index) => [words, index]));

/** Lines from the ground up: words, colour, least zoom, pixels at zooms 10, 14 and 18, least zoom of edges, dashes. */
export const LINES = [
  ["stream drain ditch", "water", 12, [0.5, 1, 4]],
  ["river canal", "water", 8, [1, 2.5, 12]],
  ["border", "border", 2, [1, 1.4, 2], Infinity, [5, 3]],
  ["ferry", "water", 10, [1, 1.2, 2], Infinity, [6, 4]],
  ["path footway steps cycleway bridleway track pedestrian", "path", 13.5, [0.5, 0.8, 4], Infinity, [3, 2]],
  ["rail tram light_rail subway narrow_gauge monorail funicular transit", "rail", 10, [0.6, 1.1, 3]],
  ["service taxiway busway raceway", "road", 13, [0.5, 1.2, 9], 14.5],
  ["minor minor_road residential living_street unclassified road other", "road", 11.5, [0.5, 2.6, 17], 13],
  ["tertiary", "road", 10, [0.8, 3.6, 20], 12],
  ["secondary", "main", 8.5, [1, 4.2, 22], 12],
  ["primary major_road", "main", 7, [1.3, 5, 24], 11],
  ["trunk", "motorway", 6, [1.6, 5.4, 26], 11],
  ["motorway highway runway", "motorway", 5, [1.8, 5.8, 28], 10],
];
const LINE_OF = byWord(LINES.map(([words], index) => [words, index]));

/** The width of a line at a zoom. */
export const widthOf = ([low, middle, high], zoom) =>
  zoom < 14
    ? low * (middle / low) ** (Math.max(zoom - 10, -4) / 4)
    : middle * (high / middle) ** (Math.min(zoom - 14, 6) / 4);

/** Places, the most important first: words, the size of their names, and the zooms that show them. */
const PLACES = [
  ["country", 15, 2, 7],
  ["capital state_capital city", 16, 5, 14],
  ["state region", 12, 5, 8],
  ["town", 14, 8, 15.5],
  ["village", 13, 10.5, 16.5],
  ["island", 12, 9, 15],
  ["suburb borough", 12, 11.5, 16.5],
  ["quarter neighbourhood hamlet", 11.5, 12.5, 17],
  ["isolated_dwelling locality", 11, 14, 18],
];
const PLACE_OF = byWord(PLACES.map((row, index) => [row[0], index]));

/** What a feature is: the indexes of an area and of a line (`isBridge`), and a label; each undefined for none. */
export const styleOf = ({ layer, type, words }, language) => {
  const what = LAYERS[layer], level = Number(words.admin_level);
  /** The row of its most exact word. */
  const first = (table) =>
    [words.kind_detail, words.class, words.subclass, words.kind].map((word) => table[word]).find((row) => row >= 0);
  const text = String(
    words[`name:${language}`] || words[`name_${language}`] || words.name || words["name:latin"] || "",
  ).slice(0, 60);
  if (type === 3) {
    if (what === "land" || what === "road") return { area: first(AREA_OF) };
    return { area: AREA_OF[what] };
  }
  if (type === 2) {
    if (what === "water") return { line: first(LINE_OF) ?? 0 };
    if (what === "border") {
      // States and countries on land.
      return level > 4 || words.maritime || /county|locality/.test(words.kind) ? {} : { line: LINE_OF.border };
    }
    if (what !== "road" && what !== "name") return {};
    const line = layer === "ferries" ? LINE_OF.ferry : first(LINE_OF), isMain = line > LINE_OF.tertiary;
    // Ferries and railways have no name here.
    const label = text && line >= LINE_OF.path && line !== LINE_OF.rail && layer !== "transportation"
      ? { text, color: "streetName", order: 100 - line, size: isMain ? 12 : 11, from: isMain ? 12.5 : 14, to: 30 }
      : undefined;
    const isBridge = words.brunnel === "bridge" || words.is_bridge || words.bridge;
    return { line: what === "road" ? line : undefined, isBridge, label };
  }
  const number = words.housenumber ?? words.addr_housenumber;
  if (what === "house" && number) {
    return { label: { text: String(number).slice(0, 8), color: "number", order: 200, size: 10, from: 17, to: 30 } };
  }
  if ((what === "lake" || what === "water") && text) {
    return { label: { text, color: "lakeName", order: 50, size: 12, from: 11, to: 18 } };
  }
  if (what === "spot" && text) {
    // Shops and stops: those that the file ranks first come first.
    const { rank = 8, min_zoom: least = 15.5 + rank / 12 } = words, from = Math.min(Math.max(least, 14), 18);
    return { label: { text, color: "spot", order: 150 + from, size: 10.5, from, to: 30, isSpot: true } };
  }
  const kind = what === "place" && text ? first(PLACE_OF) ?? (level > 2 ? PLACE_OF.state : undefined) : undefined;
  if (kind === undefined) return {};
  const [, size, from, to] = PLACES[kind];
  // The largest first.
  const { population_rank: high, population = 0 } = words;
  const among = high ? 20 - high : words.rank ?? 20 - Math.log2(1 + population) / 2;
  return { label: { text, color: "placeName", order: kind + among / 100, size, from, to, isBold: size > 13 } };
};
