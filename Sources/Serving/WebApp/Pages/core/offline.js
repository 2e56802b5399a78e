// Changes of items made without a network wait in IndexedDB. They are sent in order once there is one, each only if
// its item is still as it was seen. What is refused stays, with the reason, until the reader decides.

import { api, appPage, onUnreached, pathOf } from "./api.js";

const open = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open("fencepost", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("outbox", { keyPath: "key", autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const run = async (mode, work) => {
  const base = await open();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(base.transaction("outbox", mode).objectStore("outbox"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    base.close();
  }
};

/** What waits, the oldest first: {key, method, path, body, etag, id, title, reason}. Old ones have a body only. */
let kept = [];
export const waiting = () => kept;
/** How many changes wait, for the badge. */
const tell = () => dispatchEvent(new CustomEvent("kept", { detail: kept.length }));
const load = async () => {
  kept = await run("readonly", (store) => store.getAll()).catch(() => kept);
  tell();
};
const add = async (one) => {
  await run("readwrite", (store) => store.add(one));
  await load();
};
/**
 * Removes a change that was sent or dropped. The next one of its item is for the version `etag` then, so that it is
 * not made twice either.
 */
const remove = async ({ key, id }, etag) => {
  await run("readwrite", (store) => {
    store.delete(key);
    const rest = store.getAll();
    rest.addEventListener("success", () => {
      const next = id && rest.result.find((one) => one.id === id);
      if (next && !next.etag && etag) store.put({ ...next, etag });
    });
    return rest;
  });
  await load();
};
export const forget = async (key) => {
  const one = kept.find((other) => other.key === key);
  if (one) await remove(one, one.etag);
};
/** All of them, when somebody signs out: the next reader must not send them. */
export const forgetAll = async () => {
  await run("readwrite", (store) => store.clear());
  await load();
};

/**
 * Makes an item. Without a network it is kept, and {isKept: true} comes back. Its own UID makes sure that
 * an item whose answer was lost is not made twice.
 */
export const create = async (body) => {
  const wanted = {
    uid: Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-"),
    ...body,
  };
  try {
    return await api.post("/items", wanted);
  } catch (error) {
    if (!(error.isOffline || error.status === 401) || appPage) throw error;
    // "Tomorrow" is the day after it was typed.
    const mine = body.text ? { ...wanted, now: new Date().toISOString() } : wanted;
    const title = body.title ?? body.text;
    await add({ method: "POST", path: "/items", body: mine, title });
    return { isKept: true, isSignedOut: error.status === 401, title };
  }
};

// The items that were seen last, by id: the version that a change without a network is for.
const seen = new Map();
export const note = (item) => {
  if (!item?.id) return;
  seen.delete(item.id);
  seen.set(item.id, { etag: item.etag, title: item.title });
  if (seen.size > 2000) seen.delete(seen.keys().next().value);
};

const ITEM = /^\/items\/([^/?]+)(\/complete|\/reopen)?(\?.*)?$/;
/** Keeps a change of an item that did not reach the server; null for other requests. */
const keep = async (method, path, body, etag) => {
  const id = method === "GET" ? null : ITEM.exec(path)?.[1];
  if (!id || appPage) return null;
  const item = decodeURIComponent(id), known = seen.get(item);
  // Only the first one can be for the version that was seen; its answer has the version for the next one.
  const isFirst = !kept.some((one) => one.id === item);
  await add({ method, path, body, id: item, etag: isFirst ? etag ?? known?.etag : undefined,
    title: body?.title ?? known?.title ?? "" });
  return { isKept: true };
};
if (!appPage) onUnreached(keep);

/** An item as it is with the changes that wait: {isWaiting: true} beside what they change. */
export const withKept = (item) => {
  note(item);
  if (appPage) return item;
  const mine = kept.filter((one) => one.id === item.id);
  if (!mine.length) return item;
  return mine.reduce((next, { path, body, method }) => {
    if (method === "DELETE") return { ...next, isRemoved: true };
    if (/\/complete$/.test(path)) return { ...next, completed: next.completed ?? new Date().toISOString() };
    if (/\/reopen$/.test(path)) return { ...next, completed: null };
    if (path.includes("?")) return next;
    return { ...next, ...body, ...(body.due === undefined ? {} : { next_due: body.due }) };
  }, { ...item, isWaiting: true });
};

/** All windows have the same changes: one at a time sends them. Old browsers and plain http have no locks. */
const alone = (work) => (navigator.locks ? navigator.locks.request("fencepost-outbox", work) : work());
const stored = (key) => run("readonly", (store) => store.get(key));
/** The version of its item that a change made. The answer may be another item, such as one day of a series. */
const versionOf = ({ id }, answer) => (id && answer?.id === id ? answer.etag : undefined);
/** Writes down why a change was refused. Gives whether it is still there: another window may have taken it out. */
const refuse = async (one, { message, status }) =>
  undefined !== await run("readwrite", (store) => {
    const found = store.getKey(one.key);
    found.addEventListener("success", () => {
      if (found.result !== undefined) store.put({ ...one, reason: message, status });
    });
    return found;
  });

let isBusy = false;
/**
 * Sends what waits, in order. Gives how many were taken. What the server refuses stays with the reason, and what
 * follows for the same item waits too; `refused(one)` hears of it.
 */
export const flush = async (refused = () => {}) => {
  if (isBusy || !navigator.onLine) return 0;
  isBusy = true;
  try {
    return await alone(() => sendAll(refused));
  } finally {
    isBusy = false;
    await load();
  }
};
const sendAll = async (refused) => {
  let sent = 0;
  const stuck = new Set();
  await load();
  for (const { key } of [...kept]) {
    // As it is now: what went before may have given it its version, or somebody dropped it.
    const one = await stored(key);
    if (!one || (one.id && stuck.has(one.id))) continue;
    let answer;
    try {
      answer = await api.send(one.method ?? "POST", one.path ?? "/items", one.body, one.etag);
    } catch (error) {
      if (error.isOffline || error.status === 401) break;
      // It is gone already, as it should be.
      if (!(one.method === "DELETE" && error.status === 404)) {
        if (one.id) stuck.add(one.id);
        // Said once: it may be refused again and again.
        if (one.reason !== error.message && await refuse(one, error)) refused(one, error);
        continue;
      }
    }
    await remove(one, versionOf(one, answer));
    sent += 1;
  }
  return sent;
};
/** Sends a change that was refused for a newer version of its item, for whatever version there is. */
export const insist = ({ key }) =>
  alone(async () => {
    const one = await stored(key);
    if (one) await remove(one, versionOf(one, await api.send(one.method, one.path, one.body)));
  });
/** What a change that waits is called. */
export const titleOf = ({ title, body }) => title || body?.title || body?.text || "";
/** The page of the item of a change; undefined for a new one. */
export const pageOf = (one) => one.id && pathOf("item", one.id);

await load();
