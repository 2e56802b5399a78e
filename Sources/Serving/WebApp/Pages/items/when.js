// When an item is: start and end of an event, due time of a reminder, their time zone.

import { check, choice, field, h, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import {
  addDays,
  addMinutes,
  daysBetween,
  isDay,
  minutesBetween,
  nowWall,
  ownZone,
  today,
  wall,
} from "./time.js";

const zones = (() => {
  try {
    return Intl.supportedValuesOf("timeZone");
  } catch {
    return [];
  }
})();

/** A date with a time that may be left out; `read()` gives a day, a wall time or "". */
const moment = (label, value, props) => {
  const day = h("input", {
    type: "date",
    value: value?.slice(0, 10) ?? "",
    "aria-label": `${label}: ${t("day")}`,
    ...props,
  });
  const time = h("input", { type: "time", value: value?.slice(11, 16) ?? "", "aria-label": `${label}: ${t("time")}` });
  return {
    element: h("div", { class: "field" }, h("span", {}, label), h("div", { class: "pair" }, day, time)),
    day,
    time,
    read: () => (day.value ? day.value + (time.value && !time.hidden ? `T${time.value}` : "") : ""),
    set: (next) => {
      day.value = next?.slice(0, 10) ?? "";
      if (next?.length > 10 || !next) time.value = next?.slice(11, 16) ?? "";
    },
  };
};

/** The fields; about() says {start, zone, isAllDay} of what is typed. */
export const timeFields = (item) => {
  const isEvent = item.type === "event", initial = item.time_zone ?? "";
  const local = (text) => wall(text, initial || undefined);
  const listeners = [];
  const zone = choice(initial, [
    ["", t("Wherever I am")],
    ...[...new Set([ownZone(), initial, ...zones])].filter(Boolean).map((name) => [name, name.replaceAll("_", " ")]),
  ]);
  const zoneField = field(t("Time zone"), zone);
  const tell = () => listeners.forEach((run) => run());
  if (!isEvent) {
    const due = moment(t("Due"), local(item.due)), start = moment(t("Not before"), local(item.start));
    const clear = iconButton("close", t("Without a due time"), () => {
      due.set("");
      tell();
    });
    due.element.lastChild.append(clear);
    const quick = h(
      "div",
      { class: "tools" },
      [[t("Today"), 0], [t("Tomorrow"), 1], [t("Next week"), 7]].map(([label, days]) =>
        h("button", {
          type: "button",
          class: "pill",
          onclick: () => {
            due.day.value = addDays(today(), days);
            tell();
          },
        }, label)
      ),
    );
    const more = h(
      "details",
      { open: Boolean(item.start || initial) },
      h("summary", {}, t("Start and time zone")),
      h("div", { class: "stack" }, start.element, zoneField),
    );
    due.element.addEventListener("change", () => {
      if (due.time.value && !due.day.value) {
        due.day.value = due.time.value > nowWall().slice(11) ? today() : addDays(today(), 1);
      }
      tell();
    });
    return {
      element: h("div", { class: "stack" }, due.element, quick, more),
      onchange: (run) => listeners.push(run),
      about: () => ({ start: due.read() || start.read(), zone: zone.value, isAllDay: due.read().length === 10 }),
      read: () => ({ due: due.read() || null, start: start.read() || null, time_zone: zone.value || null }),
    };
  }
  const isAllDay = isDay(item.start ?? "");
  const begin = local(item.start), finish = item.end ? local(item.end) : isAllDay ? addDays(begin, 1) : begin;
  // An end of a whole day is shown as the last day, and sent as the day after.
  const from = moment(t("Starts"), begin), to = moment(t("Ends"), isAllDay ? addDays(finish, -1) : finish);
  const all = check(t("All day"), isAllDay);
  let before = from.read();
  const show = () => {
    for (const one of [from, to]) one.time.hidden = all.box.checked;
    zoneField.hidden = all.box.checked;
    if (!all.box.checked) { for (const [one, text] of [[from, "09:00"], [to, "10:00"]]) one.time.value ||= text; }
  };
  all.box.addEventListener("change", () => {
    show();
    before = from.read();
    tell();
  });
  // The end keeps its distance.
  from.element.addEventListener("change", () => {
    const next = from.read(), end = to.read();
    if (next && end && before && next.length === before.length) {
      to.set(all.box.checked ? addDays(end, daysBetween(before, next)) : addMinutes(end, minutesBetween(before, next)));
    }
    before = next;
    tell();
  });
  show();
  const read = () => {
    const [start, end] = [from.read(), to.read()];
    if (!start || !end) {
      throw Object.assign(new Error(t("An event needs a start and an end.")), { element: start ? to.day : from.day });
    }
    if (end < start) throw Object.assign(new Error(t("The end comes before the start.")), { element: to.day });
    return {
      all_day: all.box.checked,
      start,
      end: all.box.checked ? addDays(end, 1) : end,
      time_zone: all.box.checked ? null : zone.value || null,
    };
  };
  return {
    element: h("div", { class: "stack" }, all, h("div", { class: "grid" }, from.element, to.element), zoneField),
    onchange: (run) => listeners.push(run),
    read,
    about: () => ({ start: from.read(), zone: zone.value, isAllDay: all.box.checked }),
  };
};
