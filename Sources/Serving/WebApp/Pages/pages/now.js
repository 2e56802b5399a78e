// Now: the map with devices and fences, what went off, what comes next. All of the map is in the lists as well.

import { api, pathOf, query } from "./api.js";
import { button, empty, entry, h, icon, iconButton, later, refill, refillRows } from "./dom.js";
import { byItem, doneAll, firingRow } from "./firings.js";
import { n, t } from "./i18n.js";
import { fenceMap } from "./map.js";
import { shareButton } from "./position.js";
import { quickEntry } from "./quick.js";
import { alarmIcon } from "./rows.js";
import { mayWrite, saved, tint } from "./state.js";
import { ago, dayText, timeElement, today, zoneNote } from "./time.js";
import { failed } from "./toast.js";

const VERBS = { enter: "on arriving at {place}", leave: "on leaving {place}", dwell: "after a stay at {place}" };
const OLD = 3600 * 1000, MOST_WAITING = 20, NEAR = 0.002;

/** One pin for the alarms of one spot. */
const pinsOf = (firings) => {
  const pins = [];
  for (const { position, kind } of firings) {
    if (!position) continue;
    const [latitude, longitude] = [position.latitude, position.longitude];
    const pin = pins.find(({ at }) => Math.abs(at[0] - latitude) < NEAR && Math.abs(at[1] - longitude) < NEAR);
    if (pin) pin.count += 1;
    else pins.push({ at: [latitude, longitude], kind, count: 1 });
  }
  return pins.map(({ count, ...pin }) => ({ ...pin, label: count > 99 ? "99" : count > 1 ? String(count) : "!" }));
};

const section = (title, without) => {
  const list = h("ul", { class: "rows" });
  const made = h("section", {}, h("h2", {}, title), list);
  return { made, list, fill: (rows) => refill(list, rows.length ? rows : empty(without)) };
};

export const show = async (page) => {
  const map = fenceMap(t("Map of fences and devices"));
  const firings = section(t("Waiting for you"), ""), foot = h("div", { class: "tools" });
  firings.made.append(foot);
  firings.made.classList.add("waits");
  const alarms = section(t("Next"), t("No alarm is set for a time."));
  const fences = section(t("At places"), t("No open reminder waits at a place."));
  const devices = section(t("Devices"), t("No device has sent its position yet."));
  let groups = [], held = null, count = 0;
  // Under the pointer, rows stay where they are: what is answered is struck out, what is new comes last.
  const showWaiting = () => {
    const known = new Map(groups.map((group) => [group[0].item.id, group]));
    const old = (held ?? []).map((group) =>
      known.get(group[0].item.id) ?? group.map((one) => ({ ...one, acknowledged: one.acknowledged ?? one.time }))
    );
    const isNew = ([{ item }]) => !old.some((group) => group[0].item.id === item.id);
    const all = [...old, ...groups.filter(isNew)];
    if (held) held = all;
    refillRows(
      firings.list,
      all.slice(0, Math.max(MOST_WAITING, old.length))
        .map((group) => ({ data: group, make: () => firingRow(group, { isHeld: true }) })),
      empty(t("Nothing waits for an answer.")),
    );
    const text = n(count, "All {n} alarm", "All {n} alarms");
    foot.replaceChildren(
      ...groups.length > 1
        ? [button(t("Done with all"), () => doneAll(groups).catch(failed))]
        : [],
      h("a", { class: "button", href: groups.length > MOST_WAITING ? "/log?waiting=1" : "/log" },
        groups.length > MOST_WAITING ? text : t("All that went off")),
    );
    page.main.classList.toggle("waiting", all.length > 0);
  };
  firings.list.addEventListener("pointerenter", () => (held ??= groups));
  firings.list.addEventListener("pointerleave", later(400, ({ pointerType }) => {
    if (pointerType === "mouse" && firings.list.matches(":hover")) return;
    held = null;
    showWaiting();
  }));

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
        Number.isFinite(device.battery) && t("battery {n} %", { n: device.battery }),
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
  const refresh = async () => {
    const [went, next, around] = await Promise.all([
      api.get("/firings", { waiting: 1, limit: 500 }),
      api.get("/alarms", { limit: 15 }),
      api.get("/fences"),
      moved(),
    ]);
    count = went.total;
    groups = byItem(went.firings);
    showWaiting();
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
    map.show({
      fences: around.fences.filter((f) => f.place).map((f) => ({
        place: f.place,
        color: f.color,
        kind: f.event,
        title: f.item.title,
      })),
      pins: pinsOf(went.firings),
    });
    heading.textContent = count ? n(count, "{n} alarm waits for you", "{n} alarms wait for you") : t("All quiet");
  };
  const heading = h("h1", {}, t("Now")), first = h("div", { class: "first" });
  map.addEventListener("pick", (event) => {
    const key = event.detail.fences[0] &&
      [...page.main.querySelectorAll("[data-key^=fence] a")].find((a) =>
        a.textContent === event.detail.fences[0].title
      );
    key?.focus();
  });
  page.main.classList.add("split", "now");
  page.main.append(
    h(
      "div",
      { class: "side" },
      h(
        "header",
        { class: "bar-top" },
        h("div", {}, heading, h("p", {}, dayText(today())), zoneNote() && h("p", {}, zoneNote())),
        h("a", { class: "round button narrow-only", href: "/search", "aria-label": t("Search") }, icon("search")),
      ),
      first,
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
  // Not before the page is shown: it is for the first days only.
  const note = () => import("./start.js").then(({ startNote }) => startNote())
    .then((line) => first.replaceChildren(line ?? "")).catch(() => {/* Another time. */});
  if (mayWrite() && !saved("start-left", false)) note();
  const timer = setInterval(() => {
    if (!document.hidden) moved().catch(() => {/* Shown again when the next event comes. */});
  }, 60000);
  return { title: t("Now"), refresh, moved, close: () => clearInterval(timer), keys: { m: () => map.canvas.focus() } };
};
