// How an item repeats: the usual rules as fields, any other rule as it is.

import { check, choice, field, h } from "./dom.js";
import { t } from "./i18n.js";
import {
  addDays,
  CODES,
  dayNumber,
  dayText,
  instantOf,
  wallIn,
  weekday,
  weekdayName,
  weekdays,
  whenText,
} from "./time.js";

const UNITS = {
  DAILY: ["day", "days"],
  WEEKLY: ["week", "weeks"],
  MONTHLY: ["month", "months"],
  YEARLY: ["year", "years"],
};
const KNOWN = new Set(["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "WKST"]);

/** The parts of a rule by their names, null if it has others than the usual ones. */
const partsOf = (rule) => {
  const parts = Object.fromEntries(rule.replace(/^RRULE:/, "").split(";").map((part) => part.split("=")));
  return UNITS[parts.FREQ] && Object.keys(parts).every((key) => KNOWN.has(key)) ? parts : null;
};

/** The parts of a rule that the fields can show, null for any other rule. */
export const parse = (rule, start, zone) => {
  const parts = partsOf(rule);
  if (!parts) return null;
  const { FREQ: unit, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, WKST } = parts;
  const made = {
    unit,
    interval: Number(INTERVAL || 1),
    days: [],
    by: "day",
    end: COUNT ? "count" : UNTIL ? "until" : "never",
    count: Number(COUNT || 10),
    until: "",
    week: WKST,
  };
  if (UNTIL) {
    const [, y, m, d, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})Z?)?$/.exec(UNTIL) ?? [];
    if (!y) return null;
    made.until = `${y}-${m}-${d}`;
    if (UNTIL.endsWith("Z")) {
      made.until = wallIn(`${y}-${m}-${d}T${time.slice(0, 2)}:${time.slice(2, 4)}:00Z`, zone ?? undefined).slice(0, 10);
    }
  }
  if (BYDAY && unit === "WEEKLY" && BYDAY.split(",").every((code) => CODES.includes(code))) {
    made.days = BYDAY.split(",");
  } else if (BYDAY && unit === "MONTHLY" && start && BYDAY === nth(start)) made.by = "weekday";
  else if (BYDAY && unit === "MONTHLY" && start && BYDAY === `-1${CODES[weekday(start)]}`) made.by = "last";
  else if (BYDAY) return null;
  if (BYMONTHDAY && unit === "MONTHLY" && BYMONTHDAY === "-1") made.by = "end";
  else if (BYMONTHDAY && !(unit === "MONTHLY" && start && BYMONTHDAY === dayNumber(start))) return null;
  return made;
};
const place = (day) => Math.ceil(Number(dayNumber(day)) / 7);
const nth = (day) => `${place(day)}${CODES[weekday(day)]}`;
export const build = ({ unit, interval, days, by, end, count, until, week }, start, zone, isAllDay) => {
  const parts = [`FREQ=${unit}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (unit === "WEEKLY" && days.length) parts.push(`BYDAY=${CODES.filter((code) => days.includes(code))}`);
  if (unit === "MONTHLY" && start) {
    if (by === "weekday") parts.push(`BYDAY=${nth(start)}`);
    if (by === "last") parts.push(`BYDAY=-1${CODES[weekday(start)]}`);
    if (by === "end") parts.push("BYMONTHDAY=-1");
  }
  if (week) parts.push(`WKST=${week}`);
  if (end === "count") parts.push(`COUNT=${count}`);
  if (end === "until" && until) {
    const last = new Date(instantOf(`${until}T23:59`, zone ?? undefined)).toISOString().replace(/[-:]|\.\d+/g, "");
    parts.push(`UNTIL=${isAllDay ? until.replaceAll("-", "") : zone ? last : `${until.replaceAll("-", "")}T235959`}`);
  }
  return parts.join(";");
};

const OFTEN = {
  DAILY: ["every day", "every {n} days"],
  WEEKLY: ["every week", "every {n} weeks"],
  MONTHLY: ["every month", "every {n} months"],
  YEARLY: ["every year", "every {n} years"],
};
/** A usual rule in the reader's language, null for any other. */
const spoken = (rule) => {
  const parts = partsOf(rule);
  if (!parts) return null;
  const { FREQ: unit, INTERVAL = 1, COUNT, UNTIL, BYDAY, BYMONTHDAY } = parts, days = [];
  for (const day of BYDAY?.split(",") ?? []) {
    const [, nth, code] = /^([+-]?\d+)?([A-Z]{2})$/.exec(day) ?? [];
    const values = { n: Number(nth), weekday: weekdayName(CODES.indexOf(code), "long") };
    if (unit === "WEEKLY" && !nth) days.push(values.weekday);
    else if (unit === "MONTHLY" && nth > 0) days.push(t("the {n}. {weekday}", values));
    else if (unit === "MONTHLY" && nth === "-1") days.push(t("the last {weekday}", values));
    else return null;
  }
  for (const day of BYMONTHDAY?.split(",") ?? []) {
    if (unit !== "MONTHLY" || BYDAY || Number(day) < -1) return null;
    days.push(day === "-1" ? t("the last day") : t("the {n}.", { n: Number(day) }));
  }
  let text = t(OFTEN[unit][INTERVAL > 1 ? 1 : 0], { n: INTERVAL });
  const isWorkdays = unit === "WEEKLY" && new Set(days).size === 5 && !/S[AU]/.test(BYDAY);
  if (isWorkdays) text = t("{often} from Monday to Friday", { often: text });
  else if (days.length) text = t("{often} on {days}", { often: text, days: days.join(", ") });
  if (COUNT) text = t("{often}, {n} times", { often: text, n: COUNT });
  const [, y, m, d] = /^(\d{4})(\d\d)(\d\d)/.exec(UNTIL ?? "") ?? [];
  return y ? t("{often}, until {day}", { often: text, day: dayText(`${y}-${m}-${d}`, "short") }) : text;
};

/** How an item repeats, for a row. The server says it in English. */
export const repeatText = ({ repeat, repeat_text }) => {
  const texts = [repeat_text ?? []].flat(), isEnglish = document.documentElement.lang === "en";
  // The server writes times as numbers.
  const shown = (text) => text?.replace(/\d{4}-\d\d-\d\dT[\d:]+([+-][\d:]+|Z)?/g, (time) => whenText(time));
  const all = [repeat ?? []].flat();
  return all.map((rule, i) => (isEnglish ? null : spoken(rule)) ?? shown(texts[i]) ?? rule).join(", ");
};

/** The fields. `about()` gives {start, zone, isAllDay}; `read()` of what comes back gives the rules. */
export const repeatFields = (rules, texts, about) => {
  const { start, zone } = about();
  const known = rules?.length === 1 ? parse(rules[0], start, zone) : null;
  const isOdd = rules?.length > 0 && !known;
  const now = known ?? { unit: "WEEKLY", interval: 1, days: [], by: "day", end: "never", count: 10, until: "" };
  const isUsual = known && known.interval === 1 && !known.days.length && known.by === "day";
  const kind = choice(isOdd ? "kept" : !known ? "" : isUsual ? known.unit : "custom", [
    ["", t("Never")],
    ["DAILY", t("Every day")],
    ["WEEKLY", t("Every week")],
    ["MONTHLY", t("Every month")],
    ["YEARLY", t("Every year")],
    ["custom", t("Custom …")],
    ...(isOdd ? [["kept", texts?.join(", ") || rules.join(" ")]] : []),
  ]);
  const interval = h("input", {
    type: "number",
    min: 1,
    max: 999,
    value: now.interval,
    "aria-label": t("Every how many"),
  });
  const unit = choice(now.unit, Object.entries(UNITS).map(([key, [, many]]) => [key, t(many)]), {
    "aria-label": t("Unit"),
  });
  const days = weekdays().map(([code, name]) => check(name, now.days.includes(code), { value: code }));
  const dayBox = h("fieldset", { class: "days" }, h("legend", {}, t("On")), days);
  const by = choice(now.by, [], {});
  const byBox = field(t("On"), by);
  const end = choice(now.end, [["never", t("Never")], ["until", t("On a day")], [
    "count",
    t("After a number of times"),
  ]]);
  const until = h("input", { type: "date", value: now.until, "aria-label": t("Last day") });
  const count = h("input", { type: "number", min: 1, max: 9999, value: now.count, "aria-label": t("How many times") });
  const custom = h(
    "div",
    { class: "grid" },
    h("div", { class: "field" }, h("span", {}, t("Every")), h("div", { class: "pair" }, interval, unit)),
    dayBox,
    byBox,
  );
  const ending = h("div", { class: "grid" }, field(t("Ends"), end), until, count);
  const kept = h("p", { class: "quiet" }, h("code", {}, rules?.join(" ")));
  const show = () => {
    const at = about().start, isCustom = kind.value === "custom";
    custom.hidden = !isCustom;
    ending.hidden = !kind.value || kind.value === "kept";
    kept.hidden = kind.value !== "kept";
    dayBox.hidden = unit.value !== "WEEKLY";
    byBox.hidden = unit.value !== "MONTHLY" || !at;
    until.hidden = end.value !== "until";
    count.hidden = end.value !== "count";
    if (end.value === "until" && !until.value && at) until.value = addDays(at.slice(0, 10), 28);
    if (!at) return;
    const name = weekdayName(weekday(at), "long"), chosen = by.value || now.by;
    by.replaceChildren(
      ...[
        ["day", t("day {n}", { n: dayNumber(at) })],
        ["weekday", t("{nth} {weekday}", { nth: `${place(at)}.`, weekday: name })],
        ["last", t("last {weekday}", { weekday: name })],
        ["end", t("last day of the month")],
      ]
        .map(([value, label]) => h("option", { value }, label)),
    );
    by.value = chosen;
  };
  for (const one of [kind, unit, end]) one.addEventListener("change", show);
  show();
  const read = () => {
    if (!kind.value) return null;
    if (kind.value === "kept") return rules;
    const at = about(), isCustom = kind.value === "custom";
    const chosen = {
      unit: isCustom ? unit.value : kind.value,
      interval: isCustom ? Math.max(1, Math.round(Number(interval.value))) : 1,
      days: isCustom ? days.filter((d) => d.box.checked).map((d) => d.box.value) : [],
      by: isCustom ? by.value : "day",
      end: end.value,
      count: Math.max(1, Math.round(Number(count.value))),
      until: until.value,
      week: now.week,
    };
    // What the fields show unchanged stays as it was written.
    if (
      known &&
      JSON.stringify({ ...chosen, days: [...chosen.days].sort() }) ===
        JSON.stringify({ ...now, days: [...now.days].sort() })
    ) return rules;
    return [build(chosen, at.start, at.zone, at.isAllDay)];
  };
  return { element: h("div", { class: "stack" }, field(t("Repeats"), kind), kept, custom, ending), read, show };
};
