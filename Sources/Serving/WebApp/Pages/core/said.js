// What the server says in finished sentences, in the reader's language: its texts are English, their forms are here.

import { t } from "./i18n.js";
import { whenText } from "./time.js";

const FORMS = [
  "the settings can't be used: {why}",
  "no daemon runs, so no alarm rings",
  "no daemon runs",
  "runs since {time}",
  "deliveries are paused",
  "{count} alarms are overdue and did not go off, since {time}",
  "no feed: alarms at places need positions",
  "{count} positions are dated ahead of this machine's clock, and were ignored",
  "{count} positions",
  "{count} unreadable",
  "none yet",
  "more than a day ago",
  "last position {time}",
  "longest silence {from}–{until}",
  "{count} ignored: {why}",
  "one of {time} waits to be confirmed: {why}",
  "no channel: alarms show in the web app only",
  "no channel: nobody hears of alarms",
  "fails: {why}",
  "last delivered {time}",
  "nothing delivered yet",
  "last failed {time}: {why}",
  "{count} wait",
  "no channel gets its alarms",
  "a channel gets the alarms of each list",
  "will not ring: {why}",
  "{count} more will not ring",
  "all can ring",
  "zone {zone}",
  "tzdata of unknown version",
  "tzdata {version}",
  "this machine has not set its clock by the network since it started",
  "the user service runs also while you are not logged in",
  "the user service ends when you log out",
  "contains a secret, and other users can read it",
  "{path}: other users can read it",
  "it can't be written",
  "{count} MB free beside the store",
  "no backup was made",
  "last made {time}",
  "{count} days ago",
  "last {time}",
  "open",
  "same time as the previous one",
  "older than the previous one",
  "invalid coordinate",
  "too imprecise",
  "its clock jumped",
  "impossible speed",
  "far from where it rests, and not confirmed by a second one",
  // What to do.
  "start it: {command}; or install it: {other}",
  "check the disk; restore a backup if it is damaged",
  "{command}; if that does not help, restart the daemon",
  "add one: {command}, or 'feeds' in the settings; fencepost phone helps",
  "add one: {command}, or 'channels' in the settings",
  "check its address and the network",
  "check that the phone's app runs and may use its location in the background",
  "set the clock of this machine and of the phone",
  "if it should send: check its app, its battery saving, and the feed",
  "check its address, then: {command}",
  "try it: {command}",
  "let a channel of the settings have '{option}', or no list at all",
  "install the package tzdata",
  "check its owner and the file system",
  "make room: without it no alarm can be recorded",
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
  "it was settled by the device's silence",
  "the phone reported it",
  "only positions that came later show it",
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
  "the phone, which watches this place, reported that it had not arrived",
  "the phone, which watches this place, reported that it had not left",
  "then the place was moved",
  "then the reminder was completed, or its alarm removed",
  "deliveries were paused",
  "no position from {device} until now",
  "no position from {device}",
  "ignored a position of {device}: {why}",
  "ignored a position: {why}",
  "ignored {n} positions of {device}: {why}",
  "set aside a position of {device}: {why}",
  "set aside {n} positions of {device}: {why}",
  "the next one agreed, so they counted",
  "the next ones did not agree, so they did not count",
  "{channel}: delivered at {time}",
  "{channel}: delivered once; again at {time}",
  "{channel}: delivered {n} times; again at {time}",
  "{channel}: gave up: {why}",
  "{channel}: waits to be delivered",
  "{channel}: not delivered yet: {why}; again at {time}",
  "no daemon ran",
  "the reminder was completed",
  "went off due at {time}",
  "went off late, due at {time}",
  "no channel was to tell it",
  "answered at {time}",
  "was due and did not go off: {why}",
  "nothing was recorded of it",
  "no alarm for {title}: {why}",
  "it is for other devices",
  "the device was already there",
  "it happened before the alarm was created",
  "outside its hours, days or dates",
  "it fired already, and is limited to once or once a day",
  "it was too long ago",
  "nothing is open in its list",
  "It rang once, last on {time}.",
  "It rang {n} times, last on {time}.",
  "It can't ring: {why}.",
  "It did not ring: it is done or cancelled.",
  "It did not ring: it is done or cancelled, since {time}.",
  "It did not ring: it has no alarm.",
  "It did not ring: no alarm of it was due.",
  "It did not ring: no device came within {length} of its place.",
  "It did not ring: no device has sent its position yet.",
  "It did not ring: no alarm of it was due. No daemon has run yet.",
  "It did not ring: {why} ({time}).",
  "Nothing was recorded: no daemon ran in this time.",
  "arrived",
  "left",
];
const ESCAPED = /[.*+?^$()|[\]\\]/g;
const lettersOf = (form) => form.replace(/\{\w+\}|\W/g, "").length;
// Of several forms, that with the most words of its own says it best.
const known = FORMS.toSorted((a, b) => lettersOf(b) - lettersOf(a)).map((form) => {
  const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return { form, names, pattern: new RegExp(`^${form.replace(ESCAPED, "\\$&").replace(/\{\w+\}/g, "(.+?)")}$`, "s") };
});
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
  "November", "December"];
const MOMENT = /^[A-Z][a-z]+, (\d+) ([A-Z][a-z]+) (\d{4}), (\d\d:\d\d)$/;
/** "Friday, 27 November 2026, 03:50" as the reader writes it. */
const moment = (text) => {
  const [, day, month, year, clock] = MOMENT.exec(text) ?? [];
  if (!day) return text;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return whenText(`${year}-${number}-${day.padStart(2, "0")}T${clock}`);
};
const one = (text) => {
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
/** A text of the server in the reader's language; what has no known form stays. */
export const said = (text) => {
  // `… went off (Milk)`
  const [, before, aside] = ASIDE.exec(text) ?? [];
  if (before && one(before) !== before) return one(before) + aside;
  const whole = one(text);
  return whole === text ? text.split(PARTS).map((part, i) => (i % 2 ? part : one(part))).join("") : whole;
};
