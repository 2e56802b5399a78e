// Elements. What comes from data becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element. Properties: on… are listeners, `style` is an object, null and false are left out. */
export const h = (name, props, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") { for (const [k, v] of Object.entries(value)) made.style.setProperty(k, v); }
    else if (key === "value") made.value = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
};

// Lines in a box of 24 by 24.
const PATHS = {
  now: "M12 21c-4-4.5-6.5-7.6-6.5-11a6.5 6.5 0 0 1 13 0c0 3.4-2.5 6.5-6.5 11zM12 7.500a2.5 2.5 0 1 0 .01 0",
  agenda: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  lists: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  places: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14",
  day: "M5 19c6 0 3-7 7-7s2-7 7-7M5 19h.01M19 5h.01",
  log: "M12 4a8 8 0 1 0 .01 0M12 8v4l3 2",
  settings: "M4 7h9M19 7h1M16 4.500a2.5 2.5 0 1 0 .01 0M4 17h1M11 17h9M8 14.500a2.5 2.5 0 1 0 .01 0",
  phone: "M7 3h10v18H7zM11 18h2",
  clients: "M8 9a4 4 0 1 0 .01 0M11.5 13H21v3M17 13v3",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.500l4.5 4.500L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  snooze: "M12 6a7 7 0 1 0 .01 0M12 9v4l2.5 1.500M4 6l3-2.500M20 6l-3-2.5",
  handle: "M5 8h14M5 12h14M5 16h14",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v6M14 11v6",
  left: "M14.5 6l-6 6 6 6",
  right: "M9.5 6l6 6-6 6",
  search: "M10.5 5a5.5 5.5 0 1 0 .01 0M15 15l5 5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  enter: "M13 5h6v14h-6M4 12h10M10 8l4 4-4 4",
  leave: "M11 5H5v14h6M9 12h11M16 8l4 4-4 4",
  dwell: "M7 4h10M7 20h10M8 4c0 5 8 6 8 16M16 4c0 5-8 6-8 16",
  time: "M12 4a8 8 0 1 0 .01 0M12 8v4l3 2",
  repeat: "M5 11V9a2 2 0 0 1 2-2h11M15 4l3 3-3 3M19 13v2a2 2 0 0 1-2 2H6M9 20l-3-3 3-3",
  device: "M12 8.500a3.5 3.5 0 1 0 .01 0M12 2v3M12 19v3M2 12h3M19 12h3",
  fit: "M4 9V4h5M20 15v5h-5M15 4h5v5M9 20H4v-5",
  minus: "M5 12h14",
  note: "M6 4h12v16H6zM9 9h6M9 13h6",
  warn: "M12 4l9 16H3zM12 10v4M12 17h.01",
  play: "M8 5v14l11-7z",
  pause: "M8 5v14M16 5v14",
  print: "M7 8V4h10v4M6 16H4V8h16v8h-2M7 13h10v7H7z",
  high: "M12 4v10M12 18.5v.01",
  filter: "M4 6h16l-6 7v6l-4-2v-4z",
};

export const icon = (name) => {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name] ?? PATHS.time);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  svg.append(path);
  return svg;
};

/** A button with an icon alone; its name is read out and shown as a tooltip. */
export const iconButton = (name, label, onclick, props) =>
  h("button", { type: "button", class: "round", "aria-label": label, title: label, onclick, ...props }, icon(name));

export const button = (label, onclick, props, ...more) =>
  h("button", { type: "button", onclick, ...props }, ...more, label);

/** The head of a page. */
export const head = (title, ...tools) =>
  h("header", { class: "bar-top" }, h("h1", {}, title), tools.length > 0 && h("div", { class: "tools" }, tools));
export const panel = (title, ...children) => h("section", { class: "panel" }, h("h2", {}, title), children);
export const quiet = (...text) => h("p", { class: "quiet" }, text);
export const chip = (text, name, kind = "") => h("span", { class: `chip ${kind}` }, name && icon(name), text);
export const empty = (text) => h("li", { class: "empty" }, text);
export const answers = (...buttons) => h("div", { class: "answers" }, buttons);
const apart = (detail) => (typeof detail === "string" ? h("span", {}, detail) : detail);
/** A row of a list: `[name, kind]` is its icon, `href` makes its title a link. */
export const entry = (key, [name, kind = "time"], title, options, ...buttons) => {
  const { href, onclick, details = [], more, ...props } = options;
  const shown = h("span", { class: "title" }, title);
  return h(
    "li",
    { class: "row", "data-row": "", "data-key": key, ...props },
    h("span", { class: `badge ${kind}` }, icon(name)),
    h(
      "div",
      { class: "what" },
      href ? h("a", { href, onclick }, shown) : shown,
      h("span", { class: "details" }, details.flat().map(apart)),
      more,
    ),
    buttons,
  );
};

/** A labelled form control. */
export const field = (label, control, hint) =>
  h("label", { class: "field" }, h("span", {}, label), control, hint && h("small", {}, hint));

/** A choice: options are [value, label] pairs. */
export const choice = (value, options, props) => {
  const made = h("select", props, options.map(([key, label]) => h("option", { value: key }, label)));
  made.value = value ?? "";
  return made;
};

export const check = (label, isOn, props) => {
  const box = h("input", { type: "checkbox", ...props });
  box.checked = Boolean(isOn);
  return Object.assign(h("label", { class: "check" }, box, h("span", {}, label)), { box });
};

/** Replaces content, and leaves the focus where it was: in the element with the same data-key. */
export const refill = (place, ...children) => {
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.closest("[data-key]")?.dataset.key;
  const label = active?.getAttribute("aria-label");
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  const holder = key && place.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!holder) return;
  const same = label
    ? holder.querySelector(`[aria-label="${CSS.escape(label)}"]`)
    : holder.querySelector(active.tagName);
  (same ?? holder.querySelector("a, button"))?.focus({ preventScroll: true });
};

/**
 * Fills a list with rows of {data, make}. A row whose data is as before stays the same element, so that it can be
 * pressed while others come and go.
 */
export const refillRows = (list, wanted, without) => {
  const old = new Map([...list.children].map((row) => [row.shown, row]));
  const rows = wanted.map(({ data, make }) => {
    const shown = JSON.stringify(data);
    return Object.assign(old.get(shown) ?? make(), { shown });
  });
  if (!rows.length) rows.push(without);
  const at = [...list.children].findIndex((row) => row.contains(document.activeElement));
  for (const row of [...list.children]) if (!rows.includes(row)) row.remove();
  let next = list.firstChild;
  for (const row of rows) {
    if (row === next) next = next.nextSibling;
    else list.insertBefore(row, next);
  }
  if (at >= 0 && !list.contains(document.activeElement)) {
    rows[Math.min(at, rows.length - 1)].querySelector("a, button")?.focus({ preventScroll: true });
  }
};

/** Runs a function after a pause without further calls. */
export const later = (wait, run) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(run, wait, ...args);
  };
};

// A click needs the same element from its press to its end, and so does what is dragged.
let held = null, letGo = () => {}, holding, isDragging = false;
const LONGEST = 5000, TAP = 60;
const release = () => {
  clearTimeout(holding);
  held = null;
  letGo();
};
/** Holds until a release, but not for ever: not each browser tells the end of each press. */
const hold = (event) => {
  if (event.type === "pointerdown") {
    if (event.button || event.target.closest?.("select, textarea, input:not([type=checkbox], [type=radio])")) return;
    isDragging = false;
    held ??= new Promise((resolve) => (letGo = resolve));
  } else if (!held) return;
  else if (event.type === "dragstart") isDragging = true;
  else if (!isDragging && event.type === "pointermove" && !event.buttons) return void release();
  clearTimeout(holding);
  holding = setTimeout(release, LONGEST);
};
/** The click of a finger comes a moment after the finger has left. */
const end = (event) => {
  if (event.type === "dragend") isDragging = false;
  if (!held || isDragging) return;
  clearTimeout(holding);
  holding = setTimeout(release, TAP);
};
for (const name of ["pointerdown", "pointermove", "dragstart", "dragover"]) addEventListener(name, hold, true);
for (const name of ["pointerup", "pointercancel", "dragend", "contextmenu"]) addEventListener(name, end, true);
addEventListener("blur", end);
addEventListener("click", release);
/** Once no pointer is pressed: what it is on must not be replaced. */
export const released = () => held;
