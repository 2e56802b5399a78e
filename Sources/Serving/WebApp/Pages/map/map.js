// A map on a canvas: pan, zoom, and what map-paint.js paints. Street tiles only where the user has set them up.

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { paint } from "./map-paint.js";
import { streetsQuestion } from "./streets.js";

export const AROUND = 2 * Math.PI * 6378137;
const radians = Math.PI / 180;
/** Web Mercator, in fractions of the map's width. */
export const project = (
  latitude,
  longitude,
) => [
  longitude / 360 + 0.5,
  0.5 - Math.asinh(Math.tan(Math.min(Math.max(latitude, -85), 85) * radians)) / (2 * Math.PI),
];
export const unproject = (x, y) => [Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / radians, (x - 0.5) * 360];
/** Metres on the ground of the whole map's width at a height of the map. */
export const metres = (y) => AROUND / Math.cosh((0.5 - y) * 2 * Math.PI);

/** The box of a place in map fractions. */
export const boxOf = ({ latitude, longitude, radius, polygons }) => {
  if (polygons?.length) {
    const all = polygons.flat(2).map(([lon, lat]) => project(lat, lon));
    return all.reduce((b, [x, y]) => [Math.min(b[0], x), Math.min(b[1], y), Math.max(b[2], x), Math.max(b[3], y)], [
      Infinity,
      Infinity,
      -Infinity,
      -Infinity,
    ]);
  }
  const [x, y] = project(latitude, longitude), r = (radius || 0) / metres(y);
  return [x - r, y - r, x + r, y + r];
};

class FenceMap extends HTMLElement {
  view = { x: 0.53, y: 0.33, scale: 2000 };
  /**
   * fences: {place, color, title, kind, isAside, isChosen}; devices: {name, latitude, longitude, accuracy, isOld};
   * tracks: {points, until, color, isFaint}; handles: {at, kind, isChosen}; pins: {at, kind, label, isLater, isChosen}.
   */
  content = { fences: [], devices: [], tracks: [], handles: [], pins: [] };
  width = 0;
  height = 0;

  connectedCallback() {
    if (this.canvas) return;
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "application",
      "aria-label": this.getAttribute("label") ?? t("Map"),
      "aria-roledescription": t("map; arrow keys move, plus and minus zoom"),
    });
    this.context = this.canvas.getContext("2d");
    const zoomer = (name, label, run) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: run }, icon(name));
    this.append(
      this.canvas,
      h(
        "div",
        { class: "zoom" },
        zoomer("plus", t("Zoom in"), () => this.zoom(1.6)),
        zoomer("minus", t("Zoom out"), () => this.zoom(1 / 1.6)),
        zoomer("fit", t("Show all"), () => this.fit()),
      ),
      this.tip = h("div", { class: "tip", hidden: true }),
      this.credit = h("div", { class: "credit" }),
      // Not where something is drawn: the answer loads the page again.
      this.closest("dialog") ? "" : streetsQuestion() ?? "",
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", () => this.readColors());
    this.readColors();
  }
  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.colors = new Proxy({}, { get: (cache, name) => (cache[name] ??= style.getPropertyValue(name).trim()) });
    this.draw();
  }
  resize() {
    const ratio = devicePixelRatio || 1;
    const hadSize = this.width > 0;
    [this.width, this.height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    [this.canvas.width, this.canvas.height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (!hadSize && this.width) {
      this.fit();
      paint(this);
    } else {
      this.clamp();
      paint(this);
    }
  }
  /** Shows other content; keeps the view unless it was never set. */
  show(content) {
    Object.assign(this.content, content);
    if (!this.hasView && this.width) this.fit();
    this.draw();
  }
  draw() {
    if (this.isDirty) return;
    this.isDirty = true;
    requestAnimationFrame(() => {
      this.isDirty = false;
      if (this.width) paint(this);
    });
  }
  screen(x, y) {
    return [
      (x - this.view.x) * this.view.scale + this.width / 2,
      (y - this.view.y) * this.view.scale + this.height / 2,
    ];
  }
  /** Latitude and longitude of a point on the canvas. */
  ground(px, py) {
    return unproject(
      (px - this.width / 2) / this.view.scale + this.view.x,
      (py - this.height / 2) / this.view.scale + this.view.y,
    );
  }
  clamp() {
    const { view } = this;
    view.scale = Math.min(
      Math.max(view.scale, Math.max(this.width, this.height) * 0.8, 256),
      this.width * metres(view.y) / 40 || 1e9,
    );
    view.y = Math.min(Math.max(view.y, 0), 1);
    view.x -= Math.floor(view.x);
  }
  fit(boxes) {
    const { fences, devices, tracks } = this.content;
    // What is aside is looked at only where there is nothing else.
    const isAlone = !devices.length && tracks.every(({ points }) => !points.length);
    const all = boxes ??
      [
        ...fences.filter((f) => isAlone || !f.isAside).map((f) => boxOf(f.place)),
        ...devices.filter((d) => !d.isOld).map((d) => boxOf({ ...d, radius: 60 })),
        ...tracks.flatMap(({ points }) =>
          points.filter((_, i) => i % 10 === 0).map(([, lat, lon]) => boxOf({ latitude: lat, longitude: lon }))
        ),
      ];
    const usable = all.filter((b) => b.every(Number.isFinite));
    this.hasView = usable.length > 0;
    if (usable.length) {
      const [west, north, east, south] = usable.reduce((
        a,
        b,
      ) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]);
      Object.assign(this.view, { x: (west + east) / 2, y: (north + south) / 2 });
      const least = 300 / metres(this.view.y), margin = Math.min(60, this.width / 8, this.height / 8);
      this.view.scale = Math.min(
        (this.width - 2 * margin) / Math.max(east - west, least),
        (this.height - 2 * margin) / Math.max(south - north, least / 2),
      );
    }
    this.clamp();
    this.draw();
  }
  /** Moves so that a place is seen. */
  reveal(place) {
    const [west, north, east, south] = boxOf(place);
    const [left, top] = this.screen(west, north), [right, bottom] = this.screen(east, south);
    if (left > 0 && top > 0 && right < this.width && bottom < this.height && right - left > 12) return;
    this.fit([[west, north, east, south]]);
    this.zoom(0.6);
  }
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const before = this.view.scale;
    this.view.scale *= factor;
    this.clamp();
    const kept = 1 / before - 1 / this.view.scale;
    this.view.x += (px - this.width / 2) * kept;
    this.view.y += (py - this.height / 2) * kept;
    this.hasView = true;
    this.draw();
  }
  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
    this.clamp();
    this.hasView = true;
    this.draw();
  }
  fenceAt(px, py) {
    const ratio = devicePixelRatio || 1;
    return (this.shapes ?? []).filter(({ path }) => this.context.isPointInPath(path, px * ratio, py * ratio, "evenodd"))
      .map(({ fence }) => fence);
  }
  handleAt(px, py) {
    return this.content.handles.findLast((handle) => {
      const [x, y] = this.screen(...project(...handle.at));
      return Math.hypot(x - px, y - py) < (handle.kind === "middle" ? 14 : 20);
    });
  }
  showTip(px, py) {
    const lines = this.fenceAt(px, py).flatMap((
      fence,
    ) => [h("strong", {}, fence.place.title ?? ""), ...(fence.title ? [h("div", {}, fence.title)] : [])]).slice(0, 12);
    this.tip.hidden = !lines.length;
    this.tip.replaceChildren(...lines);
    this.tip.style.left = `${Math.max(8, Math.min(px + 14, this.width - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${Math.max(8, Math.min(py + 14, this.height - this.tip.offsetHeight - 8))}px`;
    return lines.length;
  }
  tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
  }
  listen() {
    const { canvas } = this, hands = new Map();
    let hasMoved = false, held = null;
    const spread = () => {
      const [a, b] = [...hands.values()];
      return Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1);
    };
    canvas.onpointerdown = (event) => {
      canvas.setPointerCapture(event.pointerId);
      hands.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      held = hands.size === 1 ? this.handleAt(event.offsetX, event.offsetY) : null;
      if (held) this.tell("grab", held);
      hasMoved = false;
      this.tip.hidden = true;
    };
    canvas.onpointermove = (event) => {
      const hand = hands.get(event.pointerId), [x, y] = [event.offsetX, event.offsetY];
      if (!hand) {
        const found = this.handleAt(x, y);
        canvas.style.cursor = found ? "move" : this.showTip(x, y) ? "pointer" : "";
        return;
      }
      if (!hasMoved && Math.hypot(x - hand.x, y - hand.y) < 4) return;
      hasMoved = true;
      if (held) {
        this.tell("drag", { handle: held, at: this.ground(x, y) });
        return;
      }
      const before = hands.size === 2 ? spread() : 0, [dx, dy] = [(x - hand.x) / hands.size, (y - hand.y) / hands.size];
      hands.set(event.pointerId, { x, y });
      this.pan(dx, dy);
      if (hands.size === 2) {
        const [a, b] = [...hands.values()];
        this.zoom(spread() / before, (a.x + b.x) / 2, (a.y + b.y) / 2);
      }
    };
    canvas.onpointerup = canvas.onpointercancel = (event) => {
      const wasAlone = hands.size === 1;
      hands.delete(event.pointerId);
      if (held && hasMoved) this.tell("dropped", held);
      else if (wasAlone && !hasMoved && event.type === "pointerup") {
        this.tell("pick", {
          at: this.ground(event.offsetX, event.offsetY),
          fences: this.fenceAt(event.offsetX, event.offsetY),
          handle: held,
        });
      }
      held = null;
    };
    canvas.onpointerleave = () => (this.tip.hidden = true);
    canvas.ondblclick = (event) => {
      if (this.tell("double", { at: this.ground(event.offsetX, event.offsetY) })) {
        this.zoom(2, event.offsetX, event.offsetY);
      }
    };
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(-Math.min(Math.max(event.deltaY * lines, -200), 200) * 0.003), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.onkeydown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = (dx, dy) => () => this.pan(dx, dy);
      const keys = {
        ArrowLeft: step(60, 0),
        ArrowRight: step(-60, 0),
        ArrowUp: step(0, 60),
        ArrowDown: step(0, -60),
        "+": () => this.zoom(1.5),
        "=": () => this.zoom(1.5),
        "-": () => this.zoom(1 / 1.5),
        0: () => this.fit(),
        Home: () => this.fit(),
      };
      if (!this.tell("press", event)) return event.preventDefault();
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    };
  }
}
customElements.define("fence-map", FenceMap);

export const fenceMap = (label, props) => h("fence-map", { label, ...props });
