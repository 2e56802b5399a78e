// The steps that can be undone, in plain words.

import { t } from "./i18n.js";

// What the server's labels say.
const WORDS = {
  "add list": "New list: {title}",
  "edit list": "Saved: {title}",
  "remove list": "Deleted: {title}",
  "keep place": "Saved: {title}",
  "remove place": "Deleted: {title}",
  "put aside": "Put aside: {title}",
  add: "Added: {title}",
  edit: "Changed: {title}",
  remove: "Deleted: {title}",
  complete: "Done: {title}",
  reopen: "Open again: {title}",
  snooze: "Snoozed: {title}",
};
const LABEL = new RegExp(`^(?:(.+?): )?(${Object.keys(WORDS).join("|")}) (.*)$`, "s");

/** Whether these pages made a step for who is signed in, and nobody else. */
export const isOwn = (label, session) =>
  label.startsWith(session?.owner === false ? `${session.name}: ` : "web: ");
/** What a step did, and who did it unless these pages did: "Deleted: Milk (Phone)". */
export const stepText = (label) => {
  const [, who, word, title] = LABEL.exec(label) ?? [];
  if (who === "web") return t(WORDS[word], { title });
  if (who) return `${t(WORDS[word], { title })} (${who})`;
  const [, other, rest] = /^([^:]+): (.*)$/s.exec(label) ?? [];
  return other === "web" ? rest : other ? `${rest} (${other})` : t("Command: {command}", { command: label });
};
