// What all pages share: the session, the lists, which lists are hidden, and colours.

import { api } from "./api.js";
import { setZone } from "./time.js";

export const state = { session: null, lists: [] };

const saved = (key, fallback) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? fallback;
  } catch {
    return fallback;
  }
};
export const keep = (key, value) => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* A browser without storage forgets. */ }
};
export { saved };

export const hidden = new Set(saved("hidden-lists", []));
export const toggleList = (id) => {
  if (!hidden.delete(id)) hidden.add(id);
  keep("hidden-lists", [...hidden]);
};

export const loadSession = async () => {
  state.session = await api.get("/session");
  setZone(state.session.zone);
};
let asked = 0, answered = 0;
/** What was asked for last stays, also if an older answer comes later. */
export const loadLists = async () => {
  const mine = ++asked, { lists } = await api.get("/lists");
  if (mine > answered) [answered, state.lists] = [mine, lists];
};
export const list = (id) => state.lists.find((one) => one.id === id);
/** Whether the owner is signed in, and not somebody with whom lists are shared. */
export const isOwner = () => state.session?.owner ?? true;
export const mayWrite = () => state.session?.rights?.includes("write") ?? true;
export const writable = (kind) =>
  state.lists.filter((one) => one.writable && (kind === "event" ? one.events : one.reminders));

/** The list that new items go to: the default one if it can be written. */
export const defaultList = (kind) => {
  const own = writable(kind), name = kind === "event" ? "events" : "reminders";
  return own.find((one) => one.default_for?.includes(name)) ?? own[0];
};

const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = (color) => {
  const [r, g, b] = [1, 3, 5].map((i) => channel(parseInt(color.slice(i, i + 2), 16)));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
/** A list's colour, grey for lists without. */
export const colorOf = (color) => (/^#[0-9a-f]{6}/i.test(color ?? "") ? color.slice(0, 7) : "#7a828c");
/** Black or white, what reads better on a colour. */
export const inkOn = (color) => {
  const light = luminance(colorOf(color));
  return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "#ffffff" : "#000000";
};
/** Style properties that give an element a list's colour. */
export const tint = (color) => ({ "--tint": colorOf(color), "--ink": inkOn(color) });
