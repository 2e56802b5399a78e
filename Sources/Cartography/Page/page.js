"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const canvas = $("map"), context = canvas.getContext("2d");
  const slider = $("slider"), tip = $("tip");
  const UNIT = 2 ** 30; // the data counts in this part of the map's width
  const AROUND = 2 * Math.PI * 6378137;
  const duration = data.span ? data.span[1] - data.span[0] : 0;

  // What is on the map, in parts of its width.

  const tracks = data.tracks.map((track, index) => ({
    device: track.device,
    color: `--way${index % 5}`,
    pieces: track.pieces.map((piece) => {
      const count = piece.v.length / 3;
      const t = new Float64Array(count), x = new Float64Array(count), y = new Float64Array(count);
      let [time, east, south] = [0, 0, 0];
      for (let i = 0; i < count; i++) {
        t[i] = time += piece.v[3 * i];
        x[i] = (east += piece.v[3 * i + 1]) / UNIT;
        y[i] = (south += piece.v[3 * i + 2]) / UNIT;
      }
      return { t, x, y, accuracy: piece.a };
    }),
  }));
  const points = (flat) => Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] / UNIT, flat[2 * i + 1] / UNIT]);
  const fences = data.fences.map((fence) => {
    const rings = fence.rings?.map(points);
    const circle = fence.circle?.map((value) => value / UNIT);
    const all = rings?.flat();
    const box = circle
      ? [circle[0] - circle[2], circle[1] - circle[2], circle[0] + circle[2], circle[1] + circle[2]]
      : all.reduce((b, p) => [Math.min(b[0], p[0]), Math.min(b[1], p[1]), Math.max(b[2], p[0]), Math.max(b[3], p[1])],
        [Infinity, Infinity, -Infinity, -Infinity]);
    return { ...fence, rings, circle, box };
  });
  const strays = points(data.strays);
  const alarms = data.alarms.map((alarm, index) => ({ ...alarm, number: index + 1, at: alarm.at && points(alarm.at)[0] }));

  // Times, as the wall shows them.

  const wall = (time) => {
    const ms = data.span[0] + time;
    let offset = data.clock[0][1];
    for (const [from, seconds] of data.clock) if (from === null || from <= ms) offset = seconds;
    // Beyond this a Date knows no day.
    return new Date(Math.min(Math.max(ms + offset * 1000, -8.64e15), 8.64e15));
  };
  const clockText = (time) => wall(time).toISOString().slice(11, 19);
  const dayText = (time) => wall(time).toLocaleDateString("en-GB",
    { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

  // The view: which point of the map is in the middle, and how many pixels the whole map would be wide.

  const view = { x: 0.5, y: 0.5, scale: 1000 };
  let width = 0, height = 0, now = duration, selected = -1, colors = {}, pins = [], isDirty = false;
  const screen = (x, y) => [(x - view.x) * view.scale + width / 2, (y - view.y) * view.scale + height / 2];
  const metres = (y) => AROUND / Math.cosh((0.5 - y) * 2 * Math.PI);
  const mostZoom = () => width * metres(view.y) / 20;
  const clampView = () => {
    view.scale = Math.min(Math.max(view.scale, Math.max(width, height) * 0.8), mostZoom());
    view.y = Math.min(Math.max(view.y, 0), 1);
  };
  const fit = () => {
    const [west, north, east, south] = data.extent.map((value) => value / UNIT);
    view.x = (west + east) / 2;
    view.y = (north + south) / 2;
    const least = 300 / metres(view.y);
    const margin = Math.min(60, width / 8, height / 8);
    view.scale = Math.min((width - 2 * margin) / Math.max(east - west, least), (height - 2 * margin) / Math.max(south - north, least / 2));
    clampView();
    draw();
  };
  const zoom = (factor, px = width / 2, py = height / 2) => {
    const before = view.scale;
    view.scale *= factor;
    clampView();
    const kept = 1 / before - 1 / view.scale;
    view.x += (px - width / 2) * kept;
    view.y += (py - height / 2) * kept;
    draw();
  };
  const pan = (dx, dy) => {
    view.x -= dx / view.scale;
    view.y -= dy / view.scale;
    clampView();
    draw();
  };

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

  // The first vertex of a piece that is later than a time.
  const after = (t, time) => {
    let low = 0, high = t.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (t[middle] > time) high = middle; else low = middle + 1;
    }
    return low;
  };
  // Where a piece is at a time that it spans.
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
      context.globalAlpha = 1;
    }
    for (const track of tracks) {
      context.strokeStyle = colors[track.color];
      context.lineWidth = 3;
      context.stroke(trace(track.pieces, now));
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
  // Where a device is now, or was last.
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
      // As large as the position is uncertain, and large enough to be seen round a pin.
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
  const paintNames = () => {
    const taken = pins.map((p) => box(p.x - p.width / 2 - 2, p.y - 13, p.width + 4, 26));
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
        let best = null;
        for (const [left, top] of [[x - w / 2, north - h - 2], [x - w / 2, south + 2], [east + 4, y - h / 2], [west - w - 4, y - h / 2],
          [east - w / 4, north - h + 4], [west - w * 3 / 4, north - h + 4], [east - w / 4, south - 2], [west - w * 3 / 4, south - 2]]) {
          const room = box(left, top, w, h);
          const cost = taken.reduce((sum, other) => sum + overlap(room, other), 0);
          if (!best || cost < best.cost) best = { room, cost };
          if (cost === 0) break;
        }
        if (best.cost > w * h / 3) continue;
        taken.push(best.room);
        context.lineWidth = 3.5;
        context.strokeStyle = colors["--ground"];
        context.strokeText(text, best.room.x + w / 2, best.room.y + h / 2);
        context.fillStyle = colors[crossed ? "--name" : "--aside"];
        context.fillText(text, best.room.x + w / 2, best.room.y + h / 2);
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

  // Time

  const rows = [];
  const setTime = (time, { fromSlider = false } = {}) => {
    const before = now;
    now = Math.min(Math.max(time, 0), duration);
    if (!fromSlider) slider.value = now;
    const text = data.span ? `${dayText(now)}, ${clockText(now)}` : "";
    slider.setAttribute("aria-valuetext", text);
    $("now").textContent = text;
    for (const [index, row] of rows.entries()) row.classList.toggle("later", alarms[index].went > now);
    if (isPlaying) {
      const gone = alarms.filter((alarm) => alarm.went > before && alarm.went <= now);
      if (gone.length) $("announcement").textContent = gone.map(sentence).join(". ");
    }
    draw();
  };
  const sentence = (alarm) => `${clockText(alarm.time)}: ${alarm.title}${alarm.place ? `, ${alarm.verb} ${alarm.place}` : ""}`;
  const select = (index, { pansThere = true } = {}) => {
    if (rows[selected]) rows[selected].removeAttribute("aria-current");
    selected = index;
    const alarm = alarms[index];
    rows[index].setAttribute("aria-current", "true");
    rows[index].scrollIntoView({ block: "nearest" });
    stop();
    setTime(alarm.went);
    if (alarm.at && pansThere) {
      const [x, y] = screen(...alarm.at);
      if (x < 40 || y < 40 || x > width - 40 || y > height - 40) [view.x, view.y] = alarm.at;
    }
    draw();
  };
  let isPlaying = false, lastFrame = 0;
  const icons = { play: "M3 1.5v13l11-6.5z", pause: "M3 2h3.5v12H3zM9.5 2H13v12H9.5z" };
  const showPlaying = () => {
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    $("icon").setAttribute("d", isPlaying ? icons.pause : icons.play);
  };
  const stop = () => {
    isPlaying = false;
    showPlaying();
  };
  const play = () => {
    isPlaying = true;
    if (now >= duration) setTime(0);
    lastFrame = performance.now();
    showPlaying();
    const step = (moment) => {
      if (!isPlaying) return;
      // All of it in forty seconds.
      setTime(now + duration * Math.max(moment - lastFrame, 0) / 40000);
      lastFrame = moment;
      if (now >= duration) stop(); else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  };

  // The list

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const fillList = () => {
    let day = null;
    const isOneDay = data.span && dayText(0) === dayText(duration);
    for (const [index, alarm] of alarms.entries()) {
      const thisDay = dayText(alarm.time);
      if (thisDay !== day && !isOneDay) $("alarms").append(element("li", "day", thisDay));
      day = thisDay;
      const row = element("button");
      row.type = "button";
      const what = element("span", "what", alarm.title);
      if (alarm.place) what.append(element("small", "", `${alarm.verb} ${alarm.place}`));
      row.append(element("span", `badge ${alarm.kind}`, alarm.number), what, element("time", "", clockText(alarm.time)));
      row.onclick = () => select(index);
      rows.push(row);
      const item = element("li");
      item.append(row);
      $("alarms").append(item);
      const tick = element("i", alarm.kind);
      tick.style.left = `${duration ? 100 * Math.min(Math.max(alarm.went / duration, 0), 1) : 0}%`;
      $("ticks").append(tick);
    }
    for (const track of tracks.length > 1 ? tracks : []) {
      const entry = element("li", "", track.device), line = element("i");
      line.style.background = `var(${track.color})`;
      entry.prepend(line);
      $("devices").append(entry);
    }
  };
  const credit = () => {
    const place = $("credit");
    place.replaceChildren();
    if (!data.tiles) return;
    const link = element("a", "", "© OpenStreetMap contributors");
    link.href = "https://www.openstreetmap.org/copyright";
    link.rel = "noopener";
    place.append(link, tilesFail ? " (some street tiles could not be loaded)" : "");
  };

  // Hands on the map

  const showTip = (px, py) => {
    const pin = pins.find((p) => Math.abs(p.x - px) < p.width / 2 + 2 && Math.abs(p.y - py) < 13);
    const lines = [];
    if (pin) lines.push(...pin.alarms.slice(0, 8).map((a) => ["", `${a.number}  ${sentence(a)}`]));
    const ratio = window.devicePixelRatio || 1;
    if (!pin) {
      for (const fence of fences) {
        if (isSeen(fence) && context.isPointInPath(outline(fence), px * ratio, py * ratio, "evenodd"))
          lines.push(["strong", fence.title], ...fence.notes.slice(0, 8).map((note) => ["", note]));
      }
    }
    tip.hidden = lines.length === 0;
    tip.replaceChildren(...lines.slice(0, 12).map(([name, text]) => element(name || "div", "", text)));
    tip.style.left = `${Math.min(px + 14, Math.max(width - 260, 0))}px`;
    tip.style.top = `${py + 14}px`;
    return pin;
  };
  const hands = new Map();
  let hasMoved = false;
  const spread = () => {
    const [a, b] = [...hands.values()];
    return Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1);
  };
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    hands.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    hasMoved = false;
    tip.hidden = true;
  };
  canvas.onpointermove = (event) => {
    const hand = hands.get(event.pointerId);
    const [x, y] = [event.offsetX, event.offsetY];
    if (!hand) {
      canvas.style.cursor = showTip(x, y) ? "pointer" : "";
      return;
    }
    if (!hasMoved && Math.hypot(x - hand.x, y - hand.y) < 4) return;
    hasMoved = true;
    canvas.classList.add("dragged");
    const before = hands.size === 2 ? spread() : 0;
    const [dx, dy] = [(x - hand.x) / hands.size, (y - hand.y) / hands.size];
    hands.set(event.pointerId, { x, y });
    pan(dx, dy);
    if (hands.size === 2) {
      const [a, b] = [...hands.values()];
      zoom(spread() / before, (a.x + b.x) / 2, (a.y + b.y) / 2);
    }
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    const wasAlone = hands.size === 1;
    hands.delete(event.pointerId);
    canvas.classList.remove("dragged");
    if (!wasAlone || hasMoved || event.type !== "pointerup") return;
    const pin = showTip(event.offsetX, event.offsetY);
    // Again and again on a pin of several goes from one to the next.
    if (pin) {
      const at = pin.alarms.findIndex((a) => a.number - 1 === selected);
      select(pin.alarms[(at + 1) % pin.alarms.length].number - 1, { pansThere: false });
    }
  };
  canvas.onpointerleave = () => (tip.hidden = true);
  canvas.ondblclick = (event) => zoom(2, event.offsetX, event.offsetY);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    zoom(Math.exp(-Math.min(Math.max(event.deltaY * lines, -200), 200) * 0.003), event.offsetX, event.offsetY);
  }, { passive: false });
  canvas.onkeydown = (event) => {
    const keys = {
      ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
      "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: fit, Home: fit, " ": () => (isPlaying ? stop() : play()),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  };

  $("in").onclick = () => zoom(1.5);
  $("out").onclick = () => zoom(1 / 1.5);
  $("fit").onclick = fit;
  $("play").onclick = () => (isPlaying ? stop() : play());
  slider.max = duration;
  slider.step = Math.max(1, Math.round(duration / 2000));
  slider.disabled = $("play").disabled = duration === 0;
  slider.oninput = () => {
    stop();
    setTime(Number(slider.value), { fromSlider: true });
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColors);

  let hasFitted = false;
  new ResizeObserver(() => {
    const ratio = window.devicePixelRatio || 1;
    [width, height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (!hasFitted && width && height) {
      hasFitted = true;
      fit();
    } else {
      clampView();
      paint();
    }
  }).observe(canvas);
  fillList();
  credit();
  showPlaying();
  readColors();
  setTime(duration);
  document.documentElement.dataset.ready = `${tracks.length} ${fences.length} ${alarms.length}`;
})();
