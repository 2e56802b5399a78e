// Now: the map with devices and fences, what went off, what comes next. All of the map is in the lists as well.

import { api, pathOf, query } from "./api.js";
import { button, chip, empty, entry, h, iconButton, refill } from "./dom.js";
import { ask } from "./dialogs.js";
import { n, t } from "./i18n.js";
import { fenceMap } from "./map.js";
import { shareButton } from "./position.js";
import { quickEntry } from "./quick.js";
import { alarmIcon } from "./rows.js";
import { tint } from "./state.js";
import { addDays, ago, dayText, instantOf, timeElement, today } from "./time.js";
import { change } from "./toast.js";

const VERBS = { enter: "on arriving at {place}", leave: "on leaving {place}", dwell: "after a stay at {place}" };
const DONE = { enter: "arrived at {place}", leave: "left {place}", dwell: "stayed at {place}" };
const OLD = 3600 * 1000;

const snoozeTimes = (firing) => [
  ...(firing.place ? [["here-again", t("When I am here again")]] : []),
  [10, t("10 minutes")],
  [60, t("1 hour")],
  [Math.max(1, Math.round((instantOf(`${addDays(today(), 1)}T09:00`) - Date.now()) / 60000)), t("Tomorrow, 9:00")],
];
const snooze = async (firing) => {
  const until = await ask(t("Remind me again"), "", snoozeTimes(firing));
  if (until) {
    await change(t("Snoozed: {title}", firing.item), () =>
      api.post(pathOf("firings", firing.id, "snooze"), until === "here-again" ? { until_event: until } : { minutes: until }));
  }
};

/** A firing as a row with what one can do about it. */
export const firingRow = (firing) => {
  const { item } = firing, kind = alarmIcon(firing.kind);
  const act = (name, text) => change(t(text, item), () => api.post(pathOf("firings", firing.id, name), {}));
  return entry(firing.id, [kind, kind], item.title, {
    class: `row firing${firing.acknowledged ? " done" : ""}`,
    style: tint(firing.color),
    href: pathOf("item", item.id),
    details: [
      timeElement(firing.time),
      firing.place && t(DONE[firing.kind] ?? "{place}", { place: firing.place.title }),
      firing.device,
      firing.late && chip(t("late")),
      h("span", { class: "unseen" }, item.list),
    ],
    more: !firing.acknowledged &&
      h(
        "div",
        { class: "actions" },
        button(t("Done"), () => act(item.type === "reminder" ? "complete" : "acknowledge", "Done: {title}"), {
          class: "primary",
          "aria-label": t("Done: {title}", item),
        }),
        button(t("Snooze"), () => snooze(firing), { "aria-label": t("Snooze: {title}", item) }),
        item.type === "reminder" &&
          iconButton("close", t("Put aside: {title}", item), () => act("acknowledge", "Put aside: {title}")),
      ),
  });
};

const section = (title, without) => {
  const list = h("ul", { class: "rows" });
  const made = h("section", {}, h("h2", {}, title), list);
  return { made, fill: (rows) => refill(list, rows.length ? rows : empty(without)) };
};

export const show = async (page) => {
  const map = fenceMap(t("Map of fences and devices"));
  const firings = section(t("Went off"), t("Nothing went off lately."));
  const alarms = section(t("Next"), t("No alarm is set for a time."));
  const fences = section(t("At places"), t("No open reminder waits at a place."));
  const devices = section(t("Devices"), t("No device has sent its position yet."));
  const isOpen = (firing) => !firing.acknowledged;

  const showButton = (place, title) =>
    iconButton("fit", t("Show {place} on the map", { place: title }), () => {
      map.reveal(place);
      map.scrollIntoView({ block: "nearest" });
    });
  const fenceRow = ({ item, place, event, color }, index) => {
    const title = place.title ?? "", kind = alarmIcon(event);
    return entry(`fence ${index}`, [kind, kind], item.title, {
      style: tint(color),
      href: pathOf("item", item.id),
      details: [t(VERBS[event] ?? "{place}", { place: title })],
    }, showButton(place, title));
  };
  const deviceRow = (device) =>
    entry(`device ${device.name}`, ["device", "way"], device.name, {
      href: `/day/${today()}${query({ device: device.name })}`,
      details: [
        ago(device.time),
        device.places?.length > 0 && t("at {place}", { place: device.places.join(", ") }),
        device.accuracy > 0 && `±${Math.round(device.accuracy)} m`,
      ],
    }, showButton({ ...device, radius: device.accuracy }, device.name));

  const moved = async () => {
    const { devices: found } = await api.get("/devices");
    devices.fill(found.map(deviceRow));
    map.show({
      devices: found.filter((d) => Number.isFinite(d.latitude)).map((d) => ({
        ...d,
        isOld: Date.now() - new Date(d.time) > OLD,
      })),
    });
  };
  let count = 0;
  const refresh = async () => {
    const [went, next, around] = await Promise.all([
      api.get("/firings", { limit: 30 }),
      api.get("/alarms", { limit: 15 }),
      api.get("/fences"),
      moved(),
    ]);
    const recent = went.firings.filter((f) => isOpen(f) || Date.now() - new Date(f.time) < 48 * OLD);
    count = went.firings.filter(isOpen).length;
    firings.fill(recent.slice(0, 12).map(firingRow));
    alarms.fill(
      next.alarms.map((alarm, index) =>
        entry(`alarm ${index}`, ["time"], alarm.item.title, {
          style: tint(alarm.color),
          href: pathOf("item", alarm.item.id),
          details: [timeElement(alarm.time), h("span", { class: "unseen" }, alarm.item.list)],
        })
      ),
    );
    fences.fill(around.fences.slice(0, 200).map(fenceRow));
    const pins = went.firings.filter((f) => isOpen(f) && f.position).slice(0, 20).map((f) => ({
      at: [f.position.latitude, f.position.longitude],
      kind: f.kind,
      label: "!",
    }));
    map.show({
      fences: around.fences.filter((f) => f.place).map((f) => ({
        place: f.place,
        color: f.color,
        kind: f.event,
        title: f.item.title,
      })),
      pins,
    });
    heading.textContent = count ? n(count, "{n} alarm waits for you", "{n} alarms wait for you") : t("All quiet");
  };
  const heading = h("h1", {}, t("Now"));
  map.addEventListener("pick", (event) => {
    const key = event.detail.fences[0] &&
      [...page.main.querySelectorAll("[data-key^=fence] a")].find((a) =>
        a.textContent === event.detail.fences[0].title
      );
    key?.focus();
  });
  page.main.classList.add("split");
  page.main.append(
    h(
      "div",
      { class: "side" },
      h("header", {}, heading, h("p", {}, dayText(today()))),
      quickEntry(),
      firings.made,
      alarms.made,
      fences.made,
      devices.made,
      shareButton(),
    ),
    h("div", { class: "map" }, map),
  );
  await refresh();
  const timer = setInterval(() => {
    if (!document.hidden) moved().catch(() => {/* Shown again when the next event comes. */});
  }, 60000);
  return { title: t("Now"), refresh, moved, close: () => clearInterval(timer), keys: { m: () => map.canvas.focus() } };
};
