// The fields of an event or a reminder, and what of them changed.

import { alarmFields } from "./alarms.js";
import { api, appPage } from "./api.js";
import { choice, field, h } from "./dom.js";
import { callField } from "./editor-parts.js";
import { t } from "./i18n.js";
import { placeField } from "./place-picker.js";
import { repeatFields } from "./repeat.js";
import { defaultList, state, writable } from "./state.js";
import {
  addDays,
  addMinutes,
  daysBetween,
  isDay,
  lengthText,
  minutesBetween,
  nowWall,
  today,
  wall,
  written,
} from "./time.js";
import { timeFields } from "./when.js";

/** A new item of the address: /new?type=…&title=…, also what other apps share (title, text, url). */
export const prefilled = (values) => {
  const type = values.get("type") === "event" || values.has("start") ? "event" : "reminder";
  const found = writable(type).find((list) => list.id === values.get("list")) ?? defaultList(type);
  const [title, text, url] = ["title", "text", "url"].map((key) => values.get(key)?.trim() ?? "");
  const link = url || /https?:\/\/\S+/.exec(text)?.[0] || "", rest = text.replace(link, "").trim();
  const at = (key) => written(values.get(key));
  const wanted = at("start") ?? (type === "event" ? today() : null);
  // An event of a day begins at the next full hour.
  const isHour = wanted && type === "event" && isDay(wanted);
  const start = isHour ? addMinutes(`${wanted}T${nowWall().slice(11, 13)}:00`, 60) : wanted;
  return {
    type,
    title: title || rest.split("\n")[0].slice(0, 200),
    notes: values.get("notes") ?? (title ? rest : rest.split("\n").slice(1).join("\n")),
    url: link,
    list_id: found?.id,
    ...(type === "event"
      ? {
        start,
        end: at("end") ?? addMinutes(start, 60),
        time_zone: state.session?.zone,
      }
      : { due: at("due") ?? undefined }),
    location: values.get("location") ?? "",
    alarms: [],
    writable: true,
    color: found?.color,
  };
};
/** An occurrence of a series as an item with its own times. */
export const occurrenceOf = (item, occurrence) => {
  if (!occurrence || item.type !== "event" || !item.repeat?.length) return item;
  const at = wall(occurrence), [start, end] = [wall(item.start), wall(item.end ?? item.start)];
  if (isDay(at)) return { ...item, start: at, end: addDays(at, daysBetween(start, end)) };
  return {
    ...item,
    start: occurrence,
    end: new Date(
      Date.parse(occurrence) +
        (Date.parse(item.end ?? item.start) - Date.parse(item.start) || minutesBetween(start, end) * 60000),
    ).toISOString(),
  };
};

const TRAVEL = [0, 5, 15, 30, 60, 90, 120];
/** How long the way takes, in seconds. */
const travelField = (item) => {
  const value = item.travel_time ?? 0;
  const minutes = [...new Set([...TRAVEL, value / 60])].sort((a, b) => a - b);
  const chosen = choice(value, minutes.map((one) => [one * 60, one ? lengthText(one) : t("None")]));
  return { element: field(t("Travel time"), chosen), read: () => ({ travel_time: Number(chosen.value) || null }) };
};

/** All fields. `read()` gives what the API takes; a problem is an error with the element to go to. */
export const fields = (item) => {
  const isEvent = item.type === "event";
  const title = h("input", {
    type: "text",
    class: "big",
    value: item.title ?? "",
    placeholder: t("Title"),
    "aria-label": t("Title"),
    required: true,
    maxlength: 2000,
  });
  const lists = state.lists.filter((list) =>
    (list.writable && (isEvent ? list.events : list.reminders)) || list.id === item.list_id
  );
  const list = choice(
    item.list_id,
    lists.map((one) => [one.id, `${one.title}${one.source && one.source !== "Local" ? ` (${one.source})` : ""}`]),
  );
  const when = timeFields(item);
  const repeat = repeatFields(item.repeat, item.repeat_text, when.about);
  when.onchange(repeat.show);
  const place = isEvent
    ? placeField(t("Place"), item.place ?? null, {
      color: item.color,
      initialText: item.place ? "" : item.location ?? "",
    })
    : null;
  const alarms = alarmFields(item.alarms, {
    color: item.color,
    isReminder: !isEvent,
    implied: item.implied_alarm,
    doubts: item.will_not_ring,
  });
  const url = h("input", { type: "url", value: item.url ?? "", maxlength: 4000 });
  const notes = h("textarea", { maxlength: 100000 }, item.notes ?? "");
  const calls = callField(item, (text) => {
    notes.value = [notes.value.trimEnd(), text].filter(Boolean).join("\n\n");
  });
  const travel = isEvent ? travelField(item) : null;
  const tags = h("input", { type: "text", value: item.tags?.join(", ") ?? "", placeholder: t("shopping, garden") });
  const priority = choice(String(item.priority > 0 ? item.priority < 5 ? 1 : item.priority > 5 ? 9 : 5 : 0), [
    ["0", t("None")],
    ["1", t("High")],
    ["5", t("Medium")],
    ["9", t("Low")],
  ]);
  const first = priority.value;
  const availability = choice(item.availability ?? "busy", [["busy", t("Busy")], ["free", t("Free")], [
    "tentative",
    t("Tentative"),
  ], ["unavailable", t("Away")]]);
  const now = item.parent ? [[item.parent, t("another item")]] : [];
  const parent = choice(item.parent ?? "", [["", t("None")], ...now]);
  const offerParents = async () => {
    const { items } = await api.get("/items", { list: item.list_id, kind: "reminder", limit: 300 });
    for (const one of items.filter((one) => one.uid && one.uid !== item.uid && one.parent !== item.uid)) {
      const known = [...parent.options].find((option) => option.value === one.uid);
      if (known) known.textContent = one.title;
      else parent.append(h("option", { value: one.uid }, one.title));
    }
  };
  if (!isEvent && !appPage) offerParents().catch(() => {/* It stays where it is. */});
  const address = () => {
    try {
      return /^https?:$/.test(new URL(url.value).protocol) ? url.value : null;
    } catch {
      return null;
    }
  };
  const open = address() && h("a", { href: address(), target: "_blank", rel: "noopener noreferrer" }, t("Open link"));
  const element = h(
    "fieldset",
    { class: "plain-set", disabled: !item.writable },
    h("div", { class: "panel" }, title, lists.length > 0 && field(t("List"), list)),
    h("div", { class: "panel" }, h("h2", {}, t("When")), when.element, repeat.element),
    h("div", { class: "panel" }, h("h2", {}, t("Alarms")), alarms.element),
    place
      ? h(
        "div",
        { class: "panel" },
        h("h2", {}, t("Where")),
        place.element,
        travel.element,
        calls.element,
      )
      : calls.element,
    h(
      "div",
      { class: "panel" },
      h("h2", {}, t("More")),
      field(t("Notes"), notes),
      field(t("Link"), url),
      open,
      field(t("Tags"), tags),
      isEvent
        ? field(t("Show as"), availability)
        : h("div", { class: "grid" }, field(t("Priority"), priority), field(t("Part of"), parent)),
    ),
  );
  const read = () => {
    if (!title.value.trim()) throw Object.assign(new Error(t("A title is missing.")), { element: title });
    if (!url.checkValidity()) throw Object.assign(new Error(t("The link is not an address.")), { element: url });
    const made = {
      title: title.value.trim(),
      list_id: list.value || undefined,
      ...when.read(),
      repeat: repeat.read(),
      alarms: alarms.read(),
      url: url.value.trim() || null,
      notes: notes.value.trim() ? notes.value : null,
      conferences: calls.read(),
      tags: tags.value.split(/[,\s]+/).map((tag) => tag.replace(/^#/, "")).filter(Boolean),
    };
    if (isEvent) {
      return Object.assign(made, {
        availability: availability.value,
        ...travel.read(),
        place: place.read(),
        location: place.read() ? place.read().title || null : place.text() || null,
      });
    }
    // Other numbers of the same class are kept.
    return Object.assign(made, {
      priority: priority.value === first ? item.priority ?? 0 : Number(priority.value),
      parent: parent.value || null,
    });
  };
  return { element, read, title };
};

export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
/** What of an item changed; times go together with their zone. */
export const difference = (before, after) => {
  const body = {};
  for (const [key, value] of Object.entries(after)) if (!same(value, before[key])) body[key] = value;
  if ("time_zone" in body || "all_day" in body || "start" in body || "end" in body) {
    for (const key of ["start", "end", "due", "all_day", "time_zone"]) {
      if (key in after && after[key] !== undefined) body[key] = after[key];
    }
  }
  return body;
};

/** The change of one occurrence's times, as a change of the whole series: all of them move as far as this one. */
export const ofSeries = (wanted, before, master) => {
  if (!("start" in wanted)) return wanted;
  const first = wall(master.start, master.time_zone ?? undefined);
  const start = addDays(first.slice(0, 10), daysBetween(before.start, wanted.start)) + wanted.start.slice(10);
  const end = isDay(start)
    ? addDays(start, daysBetween(wanted.start, wanted.end))
    : addMinutes(start, minutesBetween(wanted.start, wanted.end));
  return { ...wanted, start, end };
};
