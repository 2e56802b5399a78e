// Drawing

const draw = () => {
  if (isDirty) return;
  isDirty = true;
  requestAnimationFrame(() => {
    isDirty = false;
    paint();
  });
};
const readColors = () => {
  const style = getComputedStyle(document.documentElement);
  colors = new Proxy({}, { get: (cache, name) => (cache[name] ??= style.getPropertyValue(name).trim()) });
  draw();
};

const barMetres = () => {
  const most = 140 * metres(view.y) / view.scale;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((n) => n * power).find((n) => n <= most) ?? power;
};

const tiles = new Map();
let tilesFail = false;
const tileImage = (z, x, y) => {
  const key = `${z}/${x}/${y}`;
  let image = tiles.get(key);
  if (!image) {
    if (tiles.size > 400) tiles.delete(tiles.keys().next().value);
    image = new Image();
    image.referrerPolicy = "strict-origin-when-cross-origin";
    image.onload = draw;
    image.onerror = () => { image.failed = tilesFail = true; credit(); };
    image.src = `${data.tiles}/${key}.png`;
    tiles.set(key, image);
  }
  return image.complete && !image.failed && image.naturalWidth ? image : null;
};
const paintTiles = () => {
  const z = Math.min(Math.max(Math.round(Math.log2(view.scale / 256)), 0), 19);
  const count = 2 ** z, size = view.scale / count;
  const [left, top] = screen(0, 0);
  if (matchMedia("(prefers-color-scheme: dark)").matches) context.filter = "invert(1) hue-rotate(180deg) brightness(.85)";
  for (let ty = Math.max(0, Math.floor(-top / size)); ty < count && top + ty * size < height; ty++)
    for (let tx = Math.floor(-left / size); left + tx * size < width; tx++) {
      const image = tileImage(z, ((tx % count) + count) % count, ty);
      if (image) context.drawImage(image, left + tx * size, top + ty * size, size + 0.5, size + 0.5);
    }
  context.filter = "none";
};
const paintGrid = () => {
  const step = barMetres() / metres(view.y) * view.scale;
  const [left, top] = screen(0, 0);
  context.beginPath();
  for (let x = ((left % step) + step) % step; x < width; x += step) context.moveTo(x, 0), context.lineTo(x, height);
  for (let y = ((top % step) + step) % step; y < height; y += step) context.moveTo(0, y), context.lineTo(width, y);
  context.strokeStyle = colors["--grid"];
  context.lineWidth = 1;
  context.stroke();
};

const outline = (fence) => {
  const path = new Path2D();
  if (fence.circle) {
    const [x, y] = screen(fence.circle[0], fence.circle[1]);
    path.arc(x, y, Math.max(fence.circle[2] * view.scale, 2), 0, 2 * Math.PI);
  } else {
    for (const ring of fence.rings) {
      ring.forEach((point, index) => path[index ? "lineTo" : "moveTo"](...screen(...point)));
      path.closePath();
    }
  }
  return path;
};
const isSeen = (fence) => {
  const [west, north] = screen(fence.box[0], fence.box[1]);
  const [east, south] = screen(fence.box[2], fence.box[3]);
  return east > 0 && west < width && south > 0 && north < height;
};
const paintFences = () => {
  for (const fence of fences) {
    if (!isSeen(fence)) continue;
    const path = outline(fence);
    context.globalAlpha = fence.crossed ? 0.15 : 0.08;
    context.fillStyle = colors[fence.crossed ? "--crossed-fill" : "--fence"];
    context.fill(path, "evenodd");
    context.globalAlpha = 1;
    context.strokeStyle = colors[fence.crossed ? "--crossed" : "--fence"];
    context.lineWidth = 1.4;
    context.setLineDash(fence.crossed ? [] : [4, 3]);
    context.stroke(path);
  }
  context.setLineDash([]);
};

// The first vertex of a piece after a time.
const after = (t, time) => {
  let low = 0, high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] > time) high = middle; else low = middle + 1;
  }
  return low;
};
// The position in a piece at a time within it.
const along = (piece, time) => {
  const i = after(piece.t, time);
  if (i === 0) return null;
  const a = i - 1, b = Math.min(i, piece.t.length - 1);
  const part = b > a ? (time - piece.t[a]) / (piece.t[b] - piece.t[a]) : 0;
  return [piece.x[a] + (piece.x[b] - piece.x[a]) * part, piece.y[a] + (piece.y[b] - piece.y[a]) * part, piece.accuracy?.[a] ?? 0];
};
const trace = (pieces, until) => {
  const path = new Path2D();
  for (const piece of pieces) {
    const count = after(piece.t, until);
    if (count === 0) continue;
    let [lastX, lastY] = screen(piece.x[0], piece.y[0]);
    path.moveTo(lastX, lastY);
    for (let i = 1; i < count; i++) {
      const [x, y] = screen(piece.x[i], piece.y[i]);
      if (Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7 && i < count - 1) continue;
      path.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    const tip = until < piece.t[piece.t.length - 1] ? along(piece, until) : null;
    if (tip) path.lineTo(...screen(tip[0], tip[1]));
    else if (count === 1) path.lineTo(lastX + 0.01, lastY);
  }
  return path;
};
// Times without positions: from the end of each piece to the start of the next.
const gaps = (pieces, until) => {
  const path = new Path2D();
  for (let i = 1; i < pieces.length; i++) {
    const [a, b] = [pieces[i - 1], pieces[i]], last = a.t.length - 1;
    // A track that is cut at one edge of the world continues at the other.
    if (b.t[0] > until || Math.abs(b.x[0] - a.x[last]) > 0.5) continue;
    path.moveTo(...screen(a.x[last], a.y[last]));
    path.lineTo(...screen(b.x[0], b.y[0]));
  }
  return path;
};
const paintGaps = (track, until, alpha) => {
  context.strokeStyle = colors[track.color];
  context.globalAlpha = alpha;
  context.lineWidth = 2;
  context.setLineDash([2, 6]);
  context.stroke(gaps(track.pieces, until));
  context.setLineDash([]);
  context.globalAlpha = 1;
};
const paintTracks = () => {
  context.lineJoin = context.lineCap = "round";
  for (const track of tracks) {
    const path = trace(track.pieces, Infinity);
    context.strokeStyle = colors["--ground"];
    context.lineWidth = 6;
    context.stroke(path);
    context.strokeStyle = colors[track.color];
    context.globalAlpha = 0.35;
    context.lineWidth = 3;
    context.stroke(path);
    paintGaps(track, Infinity, 0.35);
  }
  for (const track of tracks) {
    context.strokeStyle = colors[track.color];
    context.lineWidth = 3;
    context.stroke(trace(track.pieces, now));
    paintGaps(track, now, 1);
  }
  context.strokeStyle = colors["--stray"];
  context.lineWidth = 1.2;
  context.beginPath();
  for (const stray of strays) {
    const [x, y] = screen(...stray);
    context.moveTo(x - 3, y - 3), context.lineTo(x + 3, y + 3);
    context.moveTo(x + 3, y - 3), context.lineTo(x - 3, y + 3);
  }
  context.stroke();
};
// The current or last known position of a device.
const position = (track) => {
  let last = null;
  for (const piece of track.pieces) {
    if (piece.t[0] <= now && (!last || piece.t[0] >= last.t[0])) last = piece;
  }
  return last && along(last, Math.min(now, last.t[last.t.length - 1]));
};
const paintMarkers = () => {
  for (const track of tracks) {
    const place = position(track);
    if (!place) continue;
    const [x, y] = screen(place[0], place[1]);
    // As large as the uncertainty of the position, and at least visible around a pin.
    const radius = Math.max(place[2] / metres(place[1]) * view.scale, 18);
    context.fillStyle = colors[track.color];
    context.globalAlpha = 0.2;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context.fill();
    context.strokeStyle = colors["--ground"];
    context.lineWidth = 2.5;
    context.stroke();
  }
};

const label = (numbers) => (numbers.length > 2 ? `${numbers[0]} +${numbers.length - 1}` : numbers.join(", "));
const layOutPins = () => {
  pins = [];
  context.font = "600 12px system-ui, sans-serif";
  for (const alarm of alarms) {
    if (!alarm.at) continue;
    const [x, y] = screen(...alarm.at);
    if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue;
    let pin = pins.find((p) => Math.abs(p.x - x) < 12 + p.width / 2 && Math.abs(p.y - y) < 22);
    if (!pin) pins.push((pin = { x, y, alarms: [] }));
    pin.alarms.push(alarm);
    pin.label = label(pin.alarms.map((a) => a.number));
    pin.width = Math.max(22, context.measureText(pin.label).width + 12);
  }
};
const box = (x, y, w, h) => ({ x, y, w, h });
const overlap = (a, b) => {
  const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return across > 0 && down > 0 ? across * down : 0;
};
const paintPins = () => {
  for (const pin of pins) {
    const kinds = new Set(pin.alarms.map((a) => a.kind));
    const isChosen = pin.alarms.some((a) => a.number - 1 === selected);
    context.globalAlpha = pin.alarms.some((a) => a.went <= now) ? 1 : 0.45;
    context.beginPath();
    context.roundRect(pin.x - pin.width / 2, pin.y - 11, pin.width, 22, 11);
    context.fillStyle = colors[kinds.size === 1 ? `--${pin.alarms[0].kind}` : "--several"];
    context.fill();
    context.strokeStyle = isChosen ? colors["--focus"] : colors["--ground"];
    context.lineWidth = isChosen ? 3 : 1.5;
    context.stroke();
    context.fillStyle = "#fff";
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(pin.label, pin.x, pin.y + 0.5);
  }
  context.globalAlpha = 1;
};
const within = (room) =>
  box(Math.min(Math.max(room.x, 4), width - room.w - 4), Math.min(Math.max(room.y, 4), height - room.h - 4), room.w, room.h);
// Labels cover nothing and stay inside the picture. A place without room for its label shows it as a tooltip.
const paintNames = () => {
  const taken = pins.map((p) => box(p.x - p.width / 2 - 2, p.y - 13, p.width + 4, 26));
  // The buttons and the scale.
  taken.push(box(0, 0, 56, 128), box(8, height - 36, 210, 36));
  const named = new Set();
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const crossed of [true, false]) {
    context.font = crossed ? "600 13px system-ui, sans-serif" : "13px system-ui, sans-serif";
    for (const fence of fences) {
      if (Boolean(fence.crossed) !== crossed || !fence.title || !isSeen(fence)) continue;
      const key = `${fence.title} ${fence.box}`;
      if (named.has(key)) continue;
      named.add(key);
      const [west, north] = screen(fence.box[0], fence.box[1]);
      const [east, south] = screen(fence.box[2], fence.box[3]);
      const x = (west + east) / 2, y = (north + south) / 2;
      const text = fence.title.length > 40 ? `${fence.title.slice(0, 39)}…` : fence.title;
      const w = context.measureText(text).width + 4, h = 17;
      const rooms = [[x - w / 2, north - h - 2], [x - w / 2, south + 2], [east + 4, y - h / 2], [west - w - 4, y - h / 2],
        [east - w / 4, north - h + 4], [west - w * 3 / 4, north - h + 4], [east - w / 4, south - 2], [west - w * 3 / 4, south - 2],
        [x - w / 2, north - 2 * h - 2], [x - w / 2, south + h + 2], [x - w / 2, y - h / 2]];
      const room = rooms.map(([left, top]) => within(box(left, top, w, h)))
        .find((free) => taken.every((other) => overlap(free, other) === 0));
      if (!room || x < 0 || x > width || y < 0 || y > height) continue;
      taken.push(room);
      context.lineWidth = 3.5;
      context.strokeStyle = colors["--ground"];
      context.strokeText(text, room.x + w / 2, room.y + h / 2);
      context.fillStyle = colors[crossed ? "--name" : "--aside"];
      context.fillText(text, room.x + w / 2, room.y + h / 2);
    }
  }
};
const paintScale = () => {
  const bar = barMetres(), length = bar / metres(view.y) * view.scale;
  const y = height - 18;
  context.strokeStyle = context.fillStyle = colors["--aside"];
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(16, y - 6), context.lineTo(16, y), context.lineTo(16 + length, y), context.lineTo(16 + length, y - 6);
  context.stroke();
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(bar >= 1000 ? `${bar / 1000} km` : `${bar} m`, 22 + length, y - 3);
};
const paint = () => {
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colors["--ground"];
  context.fillRect(0, 0, width, height);
  if (data.tiles) paintTiles(); else paintGrid();
  layOutPins();
  paintFences();
  paintTracks();
  paintMarkers();
  paintNames();
  paintPins();
  paintScale();
};
