// Keys that work everywhere. A page adds its own by `keys` of what it gives.

import { appPage } from "./api.js";
import { notice } from "./dialogs.js";
import { check, h } from "./dom.js";
import { t } from "./i18n.js";
import { current, go } from "./router.js";
import { keep, saved } from "./state.js";
import { redo, undo } from "./toast.js";

const rows = () => [...document.querySelectorAll("#main [data-row]:has(a)")].filter((row) => row.offsetParent);
const move = (step) => {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.querySelector("a")?.focus();
};
const onRow = (name) => () => document.activeElement?.closest("[data-row]")?.dispatchEvent(new CustomEvent(name));
const quick = () => {
  const box = document.querySelector("#main .quick input");
  if (box) box.focus();
  else go("/new?type=reminder");
};
const KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  j: () => move(1),
  k: () => move(-1),
  n: quick,
  c: () => go("/new?type=event"),
  e: onRow("open"),
  d: onRow("tick"),
  x: onRow("choose"),
  ">": onRow("later"),
  "<": onRow("earlier"),
  z: () => undo(),
  Z: () => redo(),
  "?": () => keys.help(),
  "/": () => go("/search"),
  1: () => go("/now"),
  2: () => go("/agenda"),
  3: () => go("/lists"),
  4: () => go("/places"),
};
const HELP = [
  ["↑ ↓", "From entry to entry"],
  ["n", "New reminder"],
  ["c", "New event"],
  ["e", "Edit"],
  ["d", "Done, or open again"],
  ["x", "Select, in a list"],
  ["< >", "A day earlier or later"],
  ["z Z", "Undo and redo"],
  ["/", "Search everywhere"],
  ["1 … 4", "Now, agenda, lists, places"],
  ["← → t", "Agenda: earlier, later, today"],
  ["v", "Agenda: next view"],
  ["Alt + ↑ ↓", "A list by hand: move a reminder"],
  ["Shift + ← ↑ → ↓", "Hours: move an entry"],
  ["+ −", "Hours: make an event longer or shorter"],
  ["← ↑ → ↓ + − 0", "Map: move, zoom, all"],
  ["?", "This help"],
];
const areOn = () => saved("keys", true);
export const keys = {
  help: () =>
    notice(
      t("Keys"),
      h(
        "dl",
        { class: "keys" },
        HELP.map(([key, text]) => h("div", {}, h("dt", {}, h("kbd", {}, t(key))), h("dd", {}, t(text)))),
      ),
      // Who speaks to a computer may set single letters off (WCAG 2.1.4).
      check(t("Use these keys"), areOn(), { onchange: (event) => keep("keys", event.target.checked) }),
    ),
};

document.addEventListener("keydown", (event) => {
  if (
    event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")
  ) return;
  const target = event.target;
  if (event.key === "Escape" && target.matches("input, textarea")) target.blur();
  if (target.closest("input:not([type=checkbox]), textarea, select, [role=application], [role=slider]")) return;
  // A page for an app leads nowhere else.
  if (appPage || !(areOn() || event.key.startsWith("Arrow"))) return;
  const run = current.page?.keys?.[event.key] ?? KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});
