// What the server says in finished sentences, in the reader's language: its texts are English, their forms are here.

import { t } from "./i18n.js";
import { whenText } from "./time.js";

// Sentences with gaps; t knows the others as they are.
const FORMS = [
  "the settings can't be used: {why}",
  "runs since {time}",
  "{count} alarms are overdue and did not go off, since {time}",
  "{count} positions are dated ahead of this machine's clock, and were ignored",
  "{count} positions",
  "{count} unreadable",
  "last position {time}",
  "longest silence {from}–{until}",
  "{count} ignored: {why}",
  "one of {time} waits to be confirmed: {why}",
  "fails: {why}",
  "last delivered {time}",
  "last failed {time}: {why}",
  "{count} wait",
  "will not ring: {why}",
  "{count} more will not ring",
  "zone {zone}",
  "tzdata {version}",
  "{path}: other users can read it",
  "{count} MB free beside the store",
  "last made {time}",
  "{count} days ago",
  "last {time}",
  // What to do.
  "start it: {command}; or install it: {other}",
  "{command}; if that does not help, restart the daemon",
  "add one: {command}, or 'feeds' in the settings; fencepost phone helps",
  "add one: {command}, or 'channels' in the settings",
  "check its address, then: {command}",
  "try it: {command}",
  "let a channel of the settings have '{option}', or no list at all",
  "{command}, best by a timer",
  // Why an alarm rang, or did not.
  "{device} arrived at {place}; the alarm went off",
  "{device} left {place}; the alarm went off",
  "{device} stayed at {place}; the alarm went off",
  "{device} arrived at {place}; its stay began",
  "{device} left {place} before the end of the stay",
  "{device} arrived at {place}, but the alarm stayed silent: {why}",
  "{device} left {place}, but the alarm stayed silent: {why}",
  "{device} arrived at {place}",
  "{device} left {place}",
  "{device} was at {place}; an arrival counts after it has left",
  "{device} was at {place}",
  "{device} was near {place}",
  "{device} came within {length} of the edge of {place} at {time}, but not inside",
  "one position of {device} was {length} inside {place} at {time}, which was not enough to be sure",
  "that was sure at {time}",
  "a position at {time} was {length} outside (± {accuracy}), which was not enough to be sure that it left",
  "a position at {time} was {length} outside, which was not enough to be sure that it left",
  "it may have arrived: undecided at {time}",
  "it may have left: undecided at {time}",
  "it may have arrived ({n} times): undecided at {time}",
  "it may have left ({n} times): undecided at {time}",
  "it may have arrived, but has not after all: decided at {time}",
  "it may have left, but has not after all: decided at {time}",
  "it may have arrived ({n} times), but has not after all: decided at {time}",
  "it may have left ({n} times), but has not after all: decided at {time}",
  "no position from {device} until now",
  "no position from {device}",
  "ignored a position of {device}: {why}",
  "ignored a position: {why}",
  "ignored {n} positions of {device}: {why}",
  "set aside a position of {device}: {why}",
  "set aside {n} positions of {device}: {why}",
  "{channel}: delivered at {time}",
  "{channel}: delivered once; again at {time}",
  "{channel}: delivered {n} times; again at {time}",
  "{channel}: gave up: {why}",
  "{channel}: waits to be delivered",
  "{channel}: not delivered yet: {why}; again at {time}",
  "went off due at {time}",
  "went off late, due at {time}",
  "answered at {time}",
  "was due and did not go off: {why}",
  "no alarm for {title}: {why}",
  "It rang once, last on {time}.",
  "It rang {n} times, last on {time}.",
  "It can't ring: {why}.",
  "It did not ring: it is done or cancelled, since {time}.",
  "It did not ring: no device came within {length} of its place.",
  "It did not ring: {why} ({time}).",
];
const ESCAPED = /[.*+?^$()|[\]\\]/g;
const lettersOf = (form) => form.replace(/\{\w+\}|\W/g, "").length;
// Of several forms, that with the most words of its own says it best.
const known = FORMS.toSorted((a, b) => lettersOf(b) - lettersOf(a)).map((form) => {
  const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  // A place may have "at" in its name. After it comes what else is known.
  const gaps = form.replace(ESCAPED, "\\$&").replace("{place}", "([^;]+)").replace(/\{\w+\}/g, "(.+?)");
  return { form, names, pattern: new RegExp(`^${gaps}$`, "s") };
});
const MOMENT = /^[A-Z][a-z]+, (\d+ [A-Z][a-z]+ \d{4}), (\d\d:\d\d)$/;
/** "Friday, 27 November 2026, 03:50" as the reader writes it. */
const moment = (text) => {
  const [, day, clock] = MOMENT.exec(text) ?? [];
  return day ? whenText(`${new Date(`${day} UTC`).toISOString().slice(0, 10)}T${clock}`) : text;
};
const one = (text) => {
  if (t(text) !== text) return t(text);
  for (const { form, names, pattern } of known) {
    const found = pattern.exec(text);
    if (!found) continue;
    const values = names.map((name, i) => [name, name === "why" ? said(found[i + 1]) : moment(found[i + 1])]);
    return t(form, Object.fromEntries(values));
  }
  return moment(text);
};
/** The parts of a text, with what is between them. */
const PARTS = /(; |, (?=last |none yet|more than a day|zone |tzdata |\d+ (?:unreadable|wait|positions|days)))/;
const ASIDE = /^(.+)( \([^()]+\))$/;
/** `… went off (Milk)` */
const withAside = (text) => {
  const [, before, aside] = ASIDE.exec(text) ?? [];
  return before && one(before) !== before ? one(before) + aside : one(text);
};
/** A text of the server in the reader's language; what has no known form stays. */
export const said = (text) => {
  const whole = withAside(text);
  return whole === text ? text.split(PARTS).map((part, i) => (i % 2 ? part : withAside(part))).join("") : whole;
};
