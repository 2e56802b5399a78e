// Somebody else changed an item meanwhile: both versions, and a choice.

import { alarmText } from "./alarms.js";
import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { repeatText } from "./rows.js";
import { list } from "./state.js";
import { whenText } from "./time.js";

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
  if (key === "list_id") return list(value)?.title ?? value;
  if (key === "alarms") {
    return value.map((alarm) => (alarm.offset || alarm.at || alarm.proximity ? alarmText(alarm) : "…")).join("; ");
  }
  if (key === "place") return value.title ?? "";
  return String(value);
};

/** What an item has, as pairs of a name and a text. */
export const describe = (item) =>
  Object.keys(NAMES).filter((key) =>
    !["title", "all_day", "priority", "availability"].includes(key) && !(key === "location" && item.place)
  ).map((key) => [t(NAMES[key]), key === "repeat" ? repeatText(item) : text(key, item[key])])
    .filter(([, text]) => text && text !== "–");

/** Gives "mine", "theirs" or null. */
export const conflict = (before, mine, theirs) => {
  const rows = Object.keys(mine).filter((key) => NAMES[key]).map((key) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t(NAMES[key])),
      h("td", {}, text(key, mine[key])),
      h("td", {}, text(key, theirs[key])),
    )
  );
  if (!("title" in mine) && theirs.title !== before.title) {
    rows.unshift(
      h("tr", {}, h("th", { scope: "row" }, t("Title")), h("td", {}, before.title), h("td", {}, theirs.title)),
    );
  }
  const table = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Both versions") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, h("td", {}), h("th", { scope: "col" }, t("Yours")), h("th", { scope: "col" }, t("The newer one"))),
      ),
      h("tbody", {}, rows),
    ),
  );
  return ask(t("This was changed elsewhere in the meantime."), table, [["mine", t("Save mine over it"), "primary"], [
    "theirs",
    t("Take the newer one"),
  ]]);
};
