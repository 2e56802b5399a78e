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
const sentence = (alarm) => `${when(alarm)}: ${alarm.title}${alarm.place ? `, ${alarm.verb} ${alarm.place}` : ""}`;
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
    // The whole recording plays in forty seconds.
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
    row.append(element("span", `badge ${alarm.kind}`, alarm.number), what, element("time", "", when(alarm)));
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

// Pointer, wheel and keys

const showTip = (px, py) => {
  const pin = pins.find((p) => Math.abs(p.x - px) < p.width / 2 + 2 && Math.abs(p.y - py) < 13);
  const lines = [];
  if (pin) lines.push(...pin.alarms.map((a) => ["", `${a.number}  ${sentence(a)}`]));
  const ratio = window.devicePixelRatio || 1;
  if (!pin) {
    for (const fence of fences) {
      if (isSeen(fence) && context.isPointInPath(outline(fence), px * ratio, py * ratio, "evenodd"))
        lines.push(["strong", fence.title], ...fence.notes.map((note) => ["", note]));
    }
  }
  fillTip(lines, px, py);
  return pin;
};
// Shows the lines that fit beside a point, inside the picture, and the number of lines that are left out.
const fillTip = (lines, px, py) => {
  tip.hidden = lines.length === 0;
  if (tip.hidden) return;
  const shown = lines.slice(0, 100).map(([name, text]) => element(name || "div", "", text));
  tip.style.left = tip.style.top = "0";
  tip.replaceChildren(...shown);
  const more = element("div", "more");
  while (tip.offsetHeight > height - 16 && shown.length > 1) {
    shown.pop();
    more.textContent = `and ${lines.length - shown.length} more`;
    tip.replaceChildren(...shown, more);
  }
  tip.style.left = `${Math.max(8, Math.min(px + 14, width - tip.offsetWidth - 8))}px`;
  const below = py + 14 + tip.offsetHeight <= height - 8;
  tip.style.top = `${Math.max(8, below ? py + 14 : py - 14 - tip.offsetHeight)}px`;
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
  // Each click on a pin with several alarms selects the next one.
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
