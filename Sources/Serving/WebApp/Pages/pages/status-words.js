// What "fencepost doctor" says, in the reader's language. The server's texts are English; their forms are here.

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
];
const ESCAPED = /[.*+?^$()|[\]\\]/g;
const known = FORMS.map((form) => {
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
/** A text of the server in the reader's language; what has no known form stays. */
export const said = (text) => {
  const whole = one(text);
  return whole === text ? text.split(PARTS).map((part, i) => (i % 2 ? part : one(part))).join("") : whole;
};
