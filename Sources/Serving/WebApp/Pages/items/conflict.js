// Somebody else changed an item meanwhile: both versions, and a choice.

import { alarmText } from "./alarms.js";
import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { repeatText } from "./repeat.js";
import { list } from "./state.js";
import { lengthText, whenText } from "./time.js";

const NAMES = {
  title: "Title",
  list_id: "List",
  start: "Starts",
  end: "Ends",
  due: "Due",
  all_day: "All day",
  time_zone: "Time zone",
  repeat: "Repeats",
  alarms: "Alarms",
  place: "Place",
  travel_time: "Travel time",
  conferences: "Video calls",
  location: "Place",
  notes: "Notes",
  url: "Link",
  tags: "Tags",
  availability: "Show as",
  priority: "Priority",
  parent: "Part of",
};
const text = (key, value) => {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) return "–";
  if (["start", "end", "due"].includes(key)) return whenText(value);
  if (key === "travel_time") return lengthText(value / 60);
  if (key === "conferences") return value.map((one) => one.label ?? one.url).join(", ");
  if (key === "list_id") return list(value)?.title ?? value;
  if (key === "alarms") {
    return value.map((alarm) => (alarm.offset || alarm.at || alarm.proximity ? alarmText(alarm) : "…")).join("; ");
  }
  if (key === "place") return value.title ?? "";
  if (key === "priority") return t(value ? value < 5 ? "High" : value > 5 ? "Low" : "Medium" : "None");
  return String(value);
};

/** What an item has, as pairs of a name and a text. */
export const describe = (item) =>
  Object.keys(NAMES).filter((key) =>
    !["title", "all_day", "priority", "availability"].includes(key) && !(key === "location" && item.place)
  ).map((key) => [t(NAMES[key]), key === "repeat" ? repeatText(item) : text(key, item[key])])
    .filter(([, text]) => text && text !== "–");

/**
 * Shows what each answer leads to: what was changed here goes over the newer version, and the rest of that stays.
 * `mine` is null where it is to be deleted. Gives "mine", "theirs" or null.
 */
export const conflict = (before, mine, theirs) => {
  const rows = Object.keys(NAMES).map((key) => [
    key,
    text(key, before[key]),
    text(key, { ...(mine ? theirs : before), ...mine }[key]),
    text(key, theirs[key]),
  ]).filter(([key, old, a, b]) => (mine && key in mine) || old !== b || a !== b).map(([key, , ...values]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t(NAMES[key])),
      values.map((value, i) =>
        h("td", {}, mine && !i && key in mine && value !== values[1] ? h("strong", {}, value) : value)
      ),
    )
  );
  const table = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Both versions") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, h("td", {}), h("th", { scope: "col" }, mine ? t("With yours, it will be") : t("Before")),
          h("th", { scope: "col" }, t("The newer one"))),
      ),
      h("tbody", {}, rows),
    ),
  );
  const keep = mine ? ["mine", t("Save mine over it"), "primary"] : ["mine", t("Delete all the same"), "danger"];
  return ask(t("This was changed elsewhere in the meantime."), table, [keep, ["theirs", t("Take the newer one")]]);
};
