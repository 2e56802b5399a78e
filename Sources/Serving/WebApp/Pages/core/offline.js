// New reminders made without a network wait in IndexedDB until there is one.

import { api, appPage } from "./api.js";

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

export const waiting = () => run("readonly", (store) => store.getAll()).catch(() => []);

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
    const kept = body.text ? { ...wanted, now: new Date().toISOString() } : wanted;
    await run("readwrite", (store) => store.add({ body: kept }));
    return { isKept: true, isSignedOut: error.status === 401, title: body.title ?? body.text };
  }
};

let isBusy = false;
/** Sends what was kept. Gives how many were taken. What the server refuses stays; `refused(body, error)` hears why. */
export const flush = async (refused = () => {}) => {
  if (isBusy || !navigator.onLine) return 0;
  isBusy = true;
  let sent = 0;
  try {
    for (const { key, body } of await waiting()) {
      try {
        await api.post("/items", body);
      } catch (error) {
        if (error.isOffline || error.status === 401) break;
        refused(body, error);
        continue;
      }
      await run("readwrite", (store) => store.delete(key));
      sent += 1;
    }
  } finally {
    isBusy = false;
  }
  return sent;
};
export const forget = (key) => run("readwrite", (store) => store.delete(key));
