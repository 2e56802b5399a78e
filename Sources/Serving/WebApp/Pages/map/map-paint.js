// What is on a map, from the ground up: tiles or grid, fences, tracks, devices, names, pins, handles, the scale.

import { boxOf, metres, project } from "./map.js";
import { colorOf, inkOn, state } from "./state.js";

const barMetres = (map) => {
  const most = 120 * metres(map.view.y) / map.view.scale, power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((n) => n * power).find((n) => n <= most) ?? power;
};

/** The latitude of a place between the north (0) and the south (1) of a web map. */
const latitude = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
const tiles = new Map();
const tile = (map, template, z, x, y) => {
  const key = template.replace("{z}", z).replace("{x}", x).replace("{y}", y).replace("{s}", "a").replace("{r}", "");
  let image = tiles.get(key);
  if (!image) {
    if (tiles.size > 400) tiles.delete(tiles.keys().next().value);
    image = new Image();
    image.onload = () => map.draw();
    image.src = key;
    tiles.set(key, image);
  }
  return image.complete && image.naturalWidth ? image : null;
};
const paintTiles = (map, c, { url, attribution, zooms: [least, most] = [0, 19], bounds = [-180, -90, 180, 90] }) => {
  map.credit.textContent = attribution ?? "";
  const level = Math.round(Math.log2(map.view.scale / 256)), z = Math.min(Math.max(level, least), most),
    count = 2 ** z,
    size = map.view.scale / count;
  const [left, top] = map.screen(0, 0);
  // Far below the levels of a file, its squares would be specks, and thousands of them.
  if (level < least - 2) return paintGrid(map, c);
  // A file may hold a part of the world.
  const isThere = (x, y) =>
    (x + 1) / count * 360 - 180 >= bounds[0] && x / count * 360 - 180 <= bounds[2] &&
    latitude(y / count) >= bounds[1] && latitude((y + 1) / count) <= bounds[3];
  if (map.scheme.matches) c.filter = "invert(1) hue-rotate(180deg) brightness(.85)";
  for (let ty = Math.max(0, Math.floor(-top / size)); ty < count && top + ty * size < map.height; ty++) {
    for (let tx = Math.floor(-left / size); left + tx * size < map.width; tx++) {
      const column = ((tx % count) + count) % count;
      const image = isThere(column, ty) ? tile(map, url, z, column, ty) : null;
      if (image) c.drawImage(image, left + tx * size, top + ty * size, size + 0.5, size + 0.5);
    }
  }
  c.filter = "none";
};
// What draws vector streets is loaded where there are some.
let streets;
const paintStreets = (map, c, sites) => {
  map.credit.textContent = sites.attribution ?? "";
  if (streets) return streets.paintShapes(map, c, sites, latitude);
  import("./street-shapes.js").then((made) => {
    streets = made;
    map.draw();
  }, () => {/* The network is away: the next look at the map asks again. */});
};
const paintGrid = (map, c) => {
  const step = barMetres(map) / metres(map.view.y) * map.view.scale, [left, top] = map.screen(0, 0);
  c.beginPath();
  for (let x = ((left % step) + step) % step; x < map.width; x += step) c.moveTo(x, 0), c.lineTo(x, map.height);
  for (let y = ((top % step) + step) % step; y < map.height; y += step) c.moveTo(0, y), c.lineTo(map.width, y);
  c.strokeStyle = map.colors["--grid"];
  c.lineWidth = 1;
  c.stroke();
};

const outline = (map, place) => {
  const path = new Path2D();
  if (place.polygons?.length) {
    for (const ring of place.polygons.flat()) {
      ring.forEach(([lon, lat], index) => path[index ? "lineTo" : "moveTo"](...map.screen(...project(lat, lon))));
      path.closePath();
    }
    return path;
  }
  const [x, y] = project(place.latitude, place.longitude);
  path.arc(...map.screen(x, y), Math.max((place.radius || 0) / metres(y) * map.view.scale, 3), 0, 2 * Math.PI);
  return path;
};
const isSeen = (map, box) => {
  const [left, top] = map.screen(box[0], box[1]), [right, bottom] = map.screen(box[2], box[3]);
  return right > 0 && left < map.width && bottom > 0 && top < map.height;
};
const paintFences = (map, c) => {
  map.shapes = [];
  for (const fence of map.content.fences) {
    const box = boxOf(fence.place);
    if (!isSeen(map, box)) continue;
    const path = outline(map, fence.place), color = fence.isAside ? map.colors["--fence"] : colorOf(fence.color);
    map.shapes.push({ fence, path, box });
    c.globalAlpha = fence.isAside ? 0.06 : fence.isChosen ? 0.28 : 0.16;
    c.fillStyle = color;
    c.fill(path, "evenodd");
    c.globalAlpha = 1;
    // A dark edge keeps pale colours visible; dashes mean leaving, dots staying.
    c.strokeStyle = fence.isAside ? color : map.colors["--edge"];
    c.lineWidth = fence.isChosen ? 4 : 3;
    if (!fence.isAside) c.stroke(path);
    c.strokeStyle = color;
    c.lineWidth = fence.isChosen ? 3 : 2;
    c.setLineDash(fence.isAside ? [4, 3] : { leave: [9, 5], dwell: [2, 4] }[fence.kind] ?? []);
    c.stroke(path);
    c.setLineDash([]);
  }
};

const paintTracks = (map, c) => {
  for (const { points, color = "--way0", until = Infinity, isFaint } of map.content.tracks) {
    c.strokeStyle = map.colors[color];
    c.globalAlpha = isFaint ? 0.55 : 1;
    c.lineWidth = isFaint ? 2 : 3;
    c.lineJoin = c.lineCap = "round";
    c.beginPath();
    let before = null, lastX = 0, lastY = 0;
    for (const [time, lat, lon] of points) {
      if (time > until) break;
      const [x, y] = map.screen(...project(lat, lon));
      // Ten minutes without a position: the way between is not known.
      if (before === null || time - before > 600) c.moveTo(x, y), lastX = x, lastY = y;
      else if (Math.abs(x - lastX) + Math.abs(y - lastY) > 1) c.lineTo(x, y), lastX = x, lastY = y;
      before = time;
    }
    c.stroke();
    c.globalAlpha = 1;
  }
};
const paintDevices = (map, c) => {
  for (const device of map.content.devices) {
    const [east, south] = project(device.latitude, device.longitude), [x, y] = map.screen(east, south);
    const color = map.colors[device.isOld ? "--fence" : "--way0"];
    c.fillStyle = color;
    c.globalAlpha = 0.18;
    c.beginPath();
    c.arc(x, y, Math.max((device.accuracy || 0) / metres(south) * map.view.scale, 16), 0, 2 * Math.PI);
    c.fill();
    c.globalAlpha = 1;
    c.beginPath();
    c.arc(x, y, 7, 0, 2 * Math.PI);
    c.fill();
    c.strokeStyle = map.colors["--ground"];
    c.lineWidth = 2.5;
    c.stroke();
  }
};

export const overlap = (a, b) =>
  Math.min(a.x + a.w, b.x + b.w) > Math.max(a.x, b.x) && Math.min(a.y + a.h, b.y + b.h) > Math.max(a.y, b.y);
// Names cover nothing; a place without room for its name shows it as a tooltip. Gives what to write, and what is taken.
const layOutNames = (map, c) => {
  const names = [];
  const taken = [{ x: 0, y: 0, w: 60, h: 150 }, { x: 0, y: map.height - 32, w: 190, h: 32 }], named = new Set();
  for (const pin of map.pinsSeen) taken.push({ x: pin.x - 12, y: pin.y - 13, w: 24, h: 26 });
  const write = (text, box, color, font) => {
    c.font = font;
    const [left, top] = map.screen(box[0], box[1]),
      [right, bottom] = map.screen(box[2], box[3]),
      x = (left + right) / 2,
      y = (top + bottom) / 2;
    if (named.has(text + box) || x < 0 || y < 0 || x > map.width || y > map.height) return;
    named.add(text + box);
    const short = text.length > 32 ? `${text.slice(0, 31)}…` : text, w = c.measureText(short).width + 6, hh = 17;
    const rooms = [
      [x - w / 2, top - hh - 3],
      [x - w / 2, bottom + 3],
      [right + 4, y - hh / 2],
      [left - w - 4, y - hh / 2],
      [x - w / 2, top - 2 * hh - 3],
      [x - w / 2, bottom + hh + 3],
      [x - w / 2, y - hh / 2],
    ];
    const room = rooms.map(([a, b]) => ({
      x: Math.min(Math.max(a, 4), map.width - w - 4),
      y: Math.min(Math.max(b, 4), map.height - hh - 4),
      w,
      h: hh,
    }))
      .find((free) => taken.every((other) => !overlap(free, other)));
    if (!room) return;
    taken.push(room);
    names.push({ text: short, x: room.x + w / 2, y: room.y + hh / 2, color, font });
  };
  for (const device of map.content.devices) {
    write(
      device.name,
      boxOf({ ...device, radius: 12 * metres(project(device.latitude, 0)[1]) / map.view.scale }),
      map.colors["--text"],
      "600 12px system-ui, sans-serif",
    );
  }
  for (const { fence, box } of map.shapes) {
    if (fence.place.title) {
      write(
        fence.place.title,
        box,
        map.colors[fence.isAside ? "--aside" : "--text"],
        `${fence.isAside ? "" : "600 "}13px system-ui, sans-serif`,
      );
    }
  }
  return { names, taken };
};
const paintNames = (map, c, names) => {
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.lineWidth = 4;
  c.lineJoin = "round";
  c.strokeStyle = map.colors["--ground"];
  for (const { text, x, y, color, font } of names) {
    c.font = font;
    c.strokeText(text, x, y);
    c.fillStyle = color;
    c.fillText(text, x, y);
  }
};

const layOutPins = (map) => {
  map.pinsSeen = [];
  for (const pin of map.content.pins) {
    const [x, y] = map.screen(...project(...pin.at));
    if (x > -20 && y > -20 && x < map.width + 20 && y < map.height + 20) map.pinsSeen.push({ ...pin, x, y });
  }
};
const paintPins = (map, c) => {
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (const pin of map.pinsSeen) {
    c.globalAlpha = pin.isLater ? 0.4 : 1;
    const color = pin.color ? colorOf(pin.color) : map.colors[`--${pin.kind}`] || map.colors["--time"];
    c.beginPath();
    c.arc(pin.x, pin.y, 11, 0, 2 * Math.PI);
    c.fillStyle = color;
    c.fill();
    c.strokeStyle = map.colors[pin.isChosen ? "--focus" : "--ground"];
    c.lineWidth = pin.isChosen ? 3 : 1.5;
    c.stroke();
    c.fillStyle = pin.color ? inkOn(pin.color) : "#fff";
    c.font = "600 12px system-ui, sans-serif";
    c.fillText(pin.label, pin.x, pin.y + 0.5);
  }
  c.globalAlpha = 1;
};
const paintHandles = (map, c) => {
  for (const { at, kind, isChosen } of map.content.handles) {
    const [x, y] = map.screen(...project(...at)), r = kind === "middle" ? 5 : 8;
    c.beginPath();
    if (kind === "centre") c.arc(x, y, r, 0, 2 * Math.PI);
    else c.roundRect(x - r, y - r, 2 * r, 2 * r, kind === "radius" ? r : 3);
    c.fillStyle = isChosen ? map.colors["--focus"] : kind === "middle" ? map.colors["--grid"] : map.colors["--panel"];
    c.fill();
    c.strokeStyle = map.colors["--focus"];
    c.lineWidth = kind === "middle" ? 1.5 : 2.5;
    c.stroke();
  }
};
const paintScale = (map, c) => {
  const bar = barMetres(map), length = bar / metres(map.view.y) * map.view.scale, y = map.height - 14;
  c.strokeStyle = c.fillStyle = map.colors["--aside"];
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(14, y - 6), c.lineTo(14, y), c.lineTo(14 + length, y), c.lineTo(14 + length, y - 6);
  c.stroke();
  c.font = "12px system-ui, sans-serif";
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillText(bar >= 1000 ? `${bar / 1000} km` : `${bar} m`, 20 + length, y - 3);
};

export const paint = (map) => {
  const c = map.context, ratio = devicePixelRatio || 1, sites = state.session?.tiles;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = map.colors["--ground"];
  c.fillRect(0, 0, map.width, map.height);
  const isVector = sites?.kind === "vector";
  if (isVector) paintStreets(map, c, sites);
  else if (sites?.url) paintTiles(map, c, sites);
  else paintGrid(map, c);
  layOutPins(map);
  paintFences(map, c);
  const { names, taken } = layOutNames(map, c);
  // Their names leave room for those of fences and devices.
  if (isVector) streets?.paintNames(map, c, taken);
  paintTracks(map, c);
  paintDevices(map, c);
  paintNames(map, c, names);
  paintPins(map, c);
  paintHandles(map, c);
  paintScale(map, c);
};
