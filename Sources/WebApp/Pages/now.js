// Now: the map with devices and fences, what went off, what comes next. All of the map is in the lists as well.

import { api } from "./api.js";
import { button, h, icon, iconButton, refill } from "./dom.js";
import { dialog } from "./dialogs.js";
import { n, t } from "./i18n.js";
import { fenceMap } from "./map.js";
import { shareButton } from "./position.js";
import { quickEntry } from "./quick.js";
import { alarmIcon } from "./rows.js";
import { tint } from "./state.js";
import { addDays, ago, dayText, instantOf, timeElement, today } from "./time.js";
import { change } from "./toast.js";

export const VERBS = { enter: "on arriving at {place}", leave: "on leaving {place}", dwell: "after a stay at {place}" };
const DONE = { enter: "arrived at {place}", leave: "left {place}", dwell: "stayed at {place}" };
const OLD = 3600 * 1000;

const snoozeTimes = () => [
  [10, t("10 minutes")],
  [60, t("1 hour")],
  [Math.max(1, Math.round((instantOf(`${addDays(today(), 1)}T09:00`) - Date.now()) / 60000)), t("Tomorrow, 9:00")],
];
const snooze = async (firing) => {
  const minutes = await dialog(
    t("Remind me again"),
    (close) =>
      h(
        "div",
        { class: "answers" },
        snoozeTimes().map(([value, label]) => button(label, () => close(value))),
        button(t("Cancel"), () => close()),
      ),
  );
  if (minutes) {
    await change(
      t("Snoozed: {title}", firing.item),
      () => api.post(`/firings/${encodeURIComponent(firing.id)}/snooze`, { minutes }),
    );
  }
};

/** A firing as a row with what one can do about it. */
export const firingRow = (firing) => {
  const path = `/firings/${encodeURIComponent(firing.id)}`;
  const act = (name, text) => change(t(text, firing.item), () => api.post(`${path}/${name}`, {}));
  const where = firing.place && t(DONE[firing.kind] ?? "{place}", { place: firing.place.title });
  return h(
    "li",
    {
      class: `row firing${firing.acknowledged ? " done" : ""}`,
      style: tint(firing.color),
      "data-row": "",
      "data-key": firing.id,
    },
    h("span", { class: `badge ${alarmIcon(firing.kind)}` }, icon(alarmIcon(firing.kind))),
    h(
      "div",
      { class: "what" },
      h("a", { href: `/item/${encodeURIComponent(firing.item.id)}` }, h("span", { class: "title" }, firing.item.title)),
      h(
        "span",
        { class: "details" },
        timeElement(firing.time),
        where && h("span", {}, where),
        firing.device && h("span", {}, firing.device),
        firing.late && h("span", { class: "chip" }, t("late")),
        h("span", { class: "unseen" }, firing.item.list),
      ),
      !firing.acknowledged &&
        h(
          "div",
          { class: "actions" },
          button(t("Done"), () => act(firing.item.type === "reminder" ? "complete" : "acknowledge", "Done: {title}"), {
            class: "primary",
            "aria-label": t("Done: {title}", firing.item),
          }),
          button(t("Snooze"), () => snooze(firing), { "aria-label": t("Snooze: {title}", firing.item) }),
          firing.item.type === "reminder" &&
            iconButton("close", t("Put aside: {title}", firing.item), () => act("acknowledge", "Put aside: {title}")),
        ),
    ),
  );
};

const section = (title, empty) => {
  const list = h("ul", { class: "rows" });
  const made = h("section", {}, h("h2", {}, title), list);
  return { made, fill: (rows) => refill(list, rows.length ? rows : h("li", { class: "empty" }, empty)) };
};

export const show = async (page) => {
  const map = fenceMap(t("Map of fences and devices"));
  const firings = section(t("Went off"), t("Nothing went off lately."));
  const alarms = section(t("Next"), t("No alarm is set for a time."));
  const fences = section(t("At places"), t("No open reminder waits at a place."));
  const devices = section(t("Devices"), t("No device has sent its position yet."));
  const isOpen = (firing) => !firing.acknowledged;

  const fenceRow = (fence, index) =>
    h(
      "li",
      { class: "row", style: tint(fence.color), "data-row": "", "data-key": `fence ${index}` },
      h("span", { class: `badge ${alarmIcon(fence.event)}` }, icon(alarmIcon(fence.event))),
      h(
        "div",
        { class: "what" },
        h("a", { href: `/item/${encodeURIComponent(fence.item.id)}` }, h("span", { class: "title" }, fence.item.title)),
        h("span", { class: "details" }, t(VERBS[fence.event] ?? "{place}", { place: fence.place.title ?? "" })),
      ),
      iconButton("fit", t("Show {place} on the map", { place: fence.place.title ?? "" }), () => {
        map.reveal(fence.place);
        map.scrollIntoView({ block: "nearest" });
      }),
    );
  const deviceRow = (device) =>
    h(
      "li",
      { class: "row", "data-row": "", "data-key": `device ${device.name}` },
      h("span", { class: "badge way" }, icon("device")),
      h(
        "div",
        { class: "what" },
        h(
          "a",
          { href: `/day/${today()}?device=${encodeURIComponent(device.name)}` },
          h("span", { class: "title" }, device.name),
        ),
        h(
          "span",
          { class: "details" },
          h("span", {}, ago(device.time)),
          device.places?.length ? h("span", {}, t("at {place}", { place: device.places.join(", ") })) : null,
          device.accuracy ? h("span", {}, `±${Math.round(device.accuracy)} m`) : null,
        ),
      ),
      iconButton("fit", t("Show {place} on the map", { place: device.name }), () =>
        map.reveal({ ...device, radius: device.accuracy })),
    );

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
        h(
          "li",
          { class: "row", style: tint(alarm.color), "data-row": "", "data-key": `alarm ${index}` },
          h("span", { class: "badge time" }, icon("time")),
          h(
            "div",
            { class: "what" },
            h(
              "a",
              { href: `/item/${encodeURIComponent(alarm.item.id)}` },
              h("span", { class: "title" }, alarm.item.title),
            ),
            h("span", { class: "details" }, timeElement(alarm.time), h("span", { class: "unseen" }, alarm.item.list)),
          ),
        )
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
