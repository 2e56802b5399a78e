// Alarms that went off: as rows, alone or together with the others of their reminder, and the answers to them.

import { api, pathOf, together } from "./api.js";
import { ask } from "./dialogs.js";
import { button, chip, entry, h, iconButton } from "./dom.js";
import { n, t } from "./i18n.js";
import { alarmIcon } from "./rows.js";
import { tint } from "./state.js";
import { addDays, instantOf, timeElement, today } from "./time.js";
import { change } from "./toast.js";

const DONE = { enter: "arrived at {place}", leave: "left {place}", dwell: "stayed at {place}" };
const MOST_TIMES = 4;

export const isWaiting = (firing) => !firing.acknowledged;
/** Firings by their item, in the order of the first of each. */
export const byItem = (firings) => [...Map.groupBy(firings, (firing) => firing.item.id).values()];

const snoozeTimes = (firing) => [
  ...(firing.place ? [["here-again", t("When I am here again")]] : []),
  [10, t("10 minutes")],
  [60, t("1 hour")],
  [Math.max(1, Math.round((instantOf(`${addDays(today(), 1)}T09:00`) - Date.now()) / 60000)), t("Tomorrow, 9:00")],
];
/**
 * Answers all firings of some items with one step of undo. Completing a reminder answers all of its own; of what is
 * snoozed, the latest is heard again.
 */
const answer = async (text, groups, word, body = {}) => {
  const run = together();
  return await change(text, async () => {
    let result;
    for (const group of groups) {
      const isReminder = group[0].item.type === "reminder";
      const name = word === "complete" && !isReminder ? "acknowledge" : word;
      const asked = name === "complete" ? group.slice(0, 1) : group;
      // The latest comes last: its snooze takes the place of the others'.
      for (const firing of asked.toReversed()) {
        result = await run.post(pathOf("firings", firing.id, firing === group[0] ? name : "acknowledge"),
          firing === group[0] ? body : {});
      }
    }
    return result;
  });
};
const snooze = async (group) => {
  const until = await ask(t("Remind me again"), "", snoozeTimes(group[0]));
  const body = until === "here-again" ? { until_event: until } : { minutes: until };
  if (until) await answer(t("Snoozed: {title}", group[0].item), [group], "snooze", body);
};
/** Done with all of some groups. */
export const doneAll = (groups) =>
  answer(n(groups.length, "Done: {n} reminder", "Done: {n} reminders"), groups, "complete");

const said = (firing) => [
  timeElement(firing.time),
  firing.place && t(DONE[firing.kind] ?? "{place}", { place: firing.place.title }),
  firing.device,
  firing.late && chip(t("late")),
];

/** The firings of one item, the latest first, as a row with the answers to them; `isHeld` keeps their room. */
export const firingRow = (group, { isHeld = false } = {}) => {
  const [firing, ...others] = group, { item } = firing, kind = alarmIcon(firing.kind);
  const act = (word, text) => answer(t(text, item), [group], word);
  return entry(item.id, [kind, kind], item.title, {
    class: `row firing${isWaiting(firing) ? "" : " done"}`,
    style: tint(firing.color),
    href: pathOf("item", item.id),
    details: [...said(firing), h("span", { class: "unseen" }, item.list)],
    more: [
      others.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, n(others.length, "and {n} time before", "and {n} times before")),
        h("ul", { class: "times" }, others.slice(0, MOST_TIMES).map((one) => h("li", { class: "details" }, said(one)))),
      ),
      (isHeld || isWaiting(firing)) &&
      h(
        "div",
        { class: isWaiting(firing) ? "actions" : "actions gone" },
        button(t("Done"), () => act("complete", "Done: {title}"), {
          class: "primary",
          "aria-label": t("Done: {title}", item),
        }),
        button(t("Snooze"), () => snooze(group), { "aria-label": t("Snooze: {title}", item) }),
        item.type === "reminder" &&
          iconButton("close", t("Put aside: {title}", item), () => act("acknowledge", "Put aside: {title}")),
      ),
    ].filter(Boolean),
  });
};
