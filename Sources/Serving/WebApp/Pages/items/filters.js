// Smart lists, and filters that the reader keeps on this device.

import { query } from "./api.js";
import { form } from "./dialogs.js";
import { field, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { keep, saved } from "./state.js";
import { dayOf, isDay, today } from "./time.js";

const isLate = ({ due }) => (isDay(due) ? due < today() : Date.parse(due) < Date.now());
/** By name: the label, the icon, what the API is asked for, and which of its items are shown. */
export const SMART = {
  today: ["Today", "agenda", { due: 1, kind: "reminder" }, (item) => dayOf(item.due) <= today()],
  scheduled: ["Scheduled", "time", { due: 1, kind: "reminder" }],
  overdue: ["Overdue", "warn", { due: 1, kind: "reminder" }, isLate],
  high: ["High priority", "high", { priority: 4, kind: "reminder" }],
  place: ["With a place", "now", { place: 1, kind: "all" }],
};

export const filters = () => saved("filters", []);
/** Keeps a filter of the address; asks for its name. Gives it, null if it is left. */
export const keepFilter = async (path) => {
  const name = h("input", { type: "text", required: true, maxlength: 60, autofocus: true });
  if (!await form(t("Save this filter"), field(t("Name"), name), t("Save"), () => true)) return null;
  const made = { name: name.value.trim(), path };
  keep("filters", [...filters().filter((one) => one.name !== made.name), made]);
  return made;
};
export const forgetFilter = (path) => keep("filters", filters().filter((one) => one.path !== path));

/** Links to the smart lists and to the reader's filters. */
export const smartPills = (chosen, path) => [
  ...Object.entries(SMART).map(([name, [label, sign]]) =>
    h("a", { class: "pill", href: `/lists${query({ show: name })}`, "aria-current": name === chosen ? "page" : null },
      icon(sign), t(label))
  ),
  ...filters().map((one) =>
    h("a", { class: "pill", href: one.path, "aria-current": one.path === path ? "page" : null },
      icon("filter"), one.name)
  ),
];
