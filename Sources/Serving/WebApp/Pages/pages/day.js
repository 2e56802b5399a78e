// A day: where a device was, what it crossed, what went off, and why.

import { api } from "./api.js";
import { button, chip, choice, empty, h, icon, iconButton, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { fenceMap } from "./map.js";
import { go } from "./router.js";
import { said } from "./said.js";
import { addDays, dayText, timeText, today, written } from "./time.js";
import { failed } from "./toast.js";

const KINDS = { crossing: "places", alarm: "time", doubt: "warn", fix: "device" };
const NAMES = { crossing: "Crossing", alarm: "Alarm", doubt: "Doubt", fix: "Position" };
/** What is the same for several reminders, whose titles end the sentence, is told once. */
const together = (notes) => {
  const known = new Map();
  for (const note of notes) {
    const [, before, title, after = ""] = /^(.*) \(([^()]*)\)(;.*)?$/.exec(note.text) ?? [];
    const key = [note.time, before ?? note.text, after].join(), one = known.get(key);
    if (one && before) one.text = `${before} (${one.titles += `, ${title}`})${after}`;
    else if (!one) known.set(key, { ...note, titles: title });
  }
  return [...known.values()];
};
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

export const show = async (page) => {
  const day = written(page.id)?.slice(0, 10) ?? today();
  const way = (device) => api.get("/tracks", { device, day });
  // Without a device, the server takes the one that moved last.
  const [track, { devices }, { places }] = await Promise.all([
    way(page.query.get("device")),
    api.get("/devices"),
    api.get("/places").catch(() => ({ places: [] })),
  ]);
  const device = track.device;
  const path = (next, name = device) => `/day/${next}${name ? `?device=${encodeURIComponent(name)}` : ""}`;
  const turn = (days) => go(path(addDays(day, days)), { replaces: true });
  const map = fenceMap(t("Map of the day"));
  const slider = h("input", { type: "range", min: 0, step: 60, "aria-label": t("Time of day") });
  const play = iconButton("play", t("Play"), () => (timer ? stop() : start()));
  const now = h("output", {}),
    list = h("ol", { class: "rows", "aria-busy": "true" }),
    source = h("div", { class: "stack" }),
    ticks = h("div", { class: "ticks", "aria-hidden": "true" });
  const date = h("input", {
    type: "date",
    value: day,
    "aria-label": t("Day"),
    onchange: () => date.value && go(path(date.value)),
  });
  let points = [], notes = [], timer = 0, chosen = -1, begin = 0;
  // A day with a clock change has 23 or 25 hours: all times count from its start.
  const seconds = (instant) => (Date.parse(instant) - begin) / 1000;
  const clock = (time) => timeText(new Date(begin + time * 1000).toISOString());

  /** The place at a time: between two positions, along the line. */
  const at = (time) => {
    const next = points.findIndex(([when]) => when > time);
    if (next === 0 || !points.length) return null;
    const b = next < 0 ? points.at(-1) : points[next], a = next < 0 ? b : points[next - 1];
    const part = b[0] > a[0] ? (time - a[0]) / (b[0] - a[0]) : 0;
    return { latitude: a[1] + (b[1] - a[1]) * part, longitude: a[2] + (b[2] - a[2]) * part, accuracy: a[3] };
  };
  /** Where a note belongs: records have times only, and the way has the places. */
  const placeOf = (note) => (Number.isFinite(note.latitude) ? note : at(seconds(note.time)));
  const draw = () => {
    const time = Number(slider.value), place = at(time);
    now.textContent = slider.disabled ? "" : clock(time);
    slider.setAttribute("aria-valuetext", clock(time));
    map.show({
      fences: places.map((one) => ({ place: one, isAside: true })),
      tracks: [{ points, isFaint: true }, { points, until: time }],
      devices: place ? [{ name: device, ...place }] : [],
      pins: notes.map((note, i) => ({ note, i, where: placeOf(note) })).filter(({ where }) => where).map((
        { note, i, where },
      ) => ({
        at: [where.latitude, where.longitude],
        kind: note.kind === "alarm" ? "enter" : "time",
        label: String(i + 1),
        isLater: seconds(note.time) > time,
        isChosen: i === chosen,
      })),
    });
    list.querySelectorAll("li").forEach((row, i) =>
      row.classList.toggle("later", Boolean(notes[i] && seconds(notes[i].time) > time))
    );
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    mark();
  };
  const mark = () => {
    play.replaceChildren(icon(timer ? "pause" : "play"));
    play.setAttribute("aria-label", t(timer ? "Pause" : "Play"));
    play.title = t(timer ? "Pause" : "Play");
  };
  const start = () => {
    if (Number(slider.value) >= Number(slider.max)) slider.value = slider.min;
    timer = setInterval(() => {
      slider.value = Number(slider.value) + (slider.max - slider.min) / 400;
      if (Number(slider.value) >= Number(slider.max)) stop();
      draw();
    }, 60);
    mark();
  };
  slider.addEventListener("input", () => {
    stop();
    chosen = -1;
    draw();
  });
  const select = (i) => {
    stop();
    chosen = i;
    slider.value = seconds(notes[i].time);
    list.querySelectorAll("button").forEach((
      one,
      k,
    ) => (k === i ? one.setAttribute("aria-current", "true") : one.removeAttribute("aria-current")));
    const where = placeOf(notes[i]);
    if (where) map.reveal({ latitude: where.latitude, longitude: where.longitude, radius: 150 });
    draw();
  };
  const refresh = async () => present(await way(device));
  const present = (track) => {
    points = track.points;
    begin = Date.parse(track.from);
    fill();
    map.fit();
    // The reasons take longer than the way, which is painted first.
    frame().then(frame).then(() => explain()).catch(failed);
  };
  /** Shows what was recorded, or what a replay over today's fences gives. */
  const explain = async (replay) => {
    list.setAttribute("aria-busy", "true");
    const found = device ? await api.get(`/days/${day}`, { device, replay }).catch(failed) : null;
    notes = together(found?.notes ?? []);
    fill();
    refill(
      source,
      replay ? quiet(t("Replayed over today’s fences.")) : found && !found.recorded && points.length
        ? [
          quiet(t("Nothing was recorded of this day.")),
          button(t("Replay it over today’s fences"), () => explain(true).catch(failed)),
        ]
        : [],
    );
    list.setAttribute("aria-busy", "false");
  };
  const fill = () => {
    const times = [...points.map(([time]) => time), ...notes.map((note) => seconds(note.time))];
    if (times.length) {
      [slider.min, slider.max] = [
        times.reduce((a, b) => Math.min(a, b)),
        Math.max(times.reduce((a, b) => Math.max(a, b)), times[0] + 60),
      ];
    }
    slider.value = slider.max;
    slider.disabled = play.disabled = !times.length;
    refill(
      list,
      notes.length
        ? notes.map((note, i) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: "note",
                "data-row": "",
                onclick: () => select(i),
              },
              h("span", { class: `badge ${{ alarm: "enter", doubt: "doubt" }[note.kind] ?? "time"}` }, String(i + 1)),
              h(
                "span",
                {},
                h("span", { class: "title" }, note.kind === "alarm" && note.latitude ? note.text : said(note.text)),
                h(
                  "span",
                  { class: "details" },
                  h("time", { datetime: note.time }, timeText(note.time)),
                  chip(t(NAMES[note.kind] ?? ""), KINDS[note.kind]),
                  note.place,
                ),
              ),
            ),
          )
        )
        : empty(points.length ? t("Nothing was crossed.") : t("There are no positions of this day.")),
    );
    ticks.replaceChildren(
      ...notes.map((note) =>
        h("i", {
          class: note.kind,
          style: {
            left: `${
              Math.min(100, Math.max(0, 100 * (seconds(note.time) - slider.min) / (slider.max - slider.min || 1)))
            }%`,
          },
        })
      ),
    );
    draw();
  };
  page.main.classList.add("split");
  page.main.append(
    h(
      "div",
      { class: "side" },
      h(
        "header",
        {},
        h("h1", {}, dayText(day)),
        h(
          "div",
          { class: "tools" },
          iconButton("left", t("Earlier"), () => turn(-1)),
          date,
          iconButton("right", t("Later"), () => turn(1)),
        ),
        devices.length > 1 &&
          choice(device, devices.map(({ name }) => [name, name]), {
            "aria-label": t("Device"),
            onchange: ({ target }) => go(path(day, target.value)),
          }),
      ),
      h("section", {}, h("h2", {}, t("What happened, and why")), source, list),
    ),
    h(
      "div",
      { class: "map" },
      map,
      h("div", { class: "time-bar" }, play, h("div", { class: "scrubber" }, ticks, slider), now),
    ),
  );
  present(track);
  return {
    title: dayText(day),
    refresh: day === today() ? refresh : undefined,
    close: stop,
    keys: { ArrowLeft: () => turn(-1), ArrowRight: () => turn(1), " ": () => (timer ? stop() : start()) },
  };
};
