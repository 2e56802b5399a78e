// This browser as a device: sends its position while the page is open, and keeps the screen on.

import { api } from "./api.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { failed, say } from "./toast.js";

let watch = null, lock = null, lastSent = 0;
const keepAwake = async () => {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch { /* Only while the page is seen. */ }
};
document.addEventListener("visibilitychange", () => {
  if (watch !== null && !document.hidden) keepAwake();
});

const send = async ({ coords, timestamp }) => {
  // One position in ten seconds is enough for a fence.
  if (timestamp - lastSent < 10000) return;
  lastSent = timestamp;
  const body = { latitude: coords.latitude, longitude: coords.longitude, time: new Date(timestamp).toISOString() };
  for (
    const [key, value] of [["accuracy", coords.accuracy], ["altitude", coords.altitude], ["speed", coords.speed], [
      "course",
      coords.heading,
    ]]
  ) if (Number.isFinite(value)) body[key] = value;
  try {
    await api.post("/positions", body);
  } catch (error) {
    if (!error.isOffline) {
      stop();
      failed(error);
    }
  }
};
const stop = () => {
  navigator.geolocation.clearWatch(watch);
  watch = null;
  lock?.release();
  lock = null;
  for (const one of document.querySelectorAll(".share")) mark(one);
};
const start = () => {
  lastSent = 0;
  watch = navigator.geolocation.watchPosition(send, (error) => {
    stop();
    failed(
      new Error(
        error.code === 1 ? t("The browser may not share its position.") : t("The browser does not know its position."),
      ),
    );
  }, { enableHighAccuracy: true, maximumAge: 5000 });
  keepAwake();
  say(t("Sharing this browser’s position"));
};
const mark = (made) => {
  made.setAttribute("aria-pressed", watch !== null ? "true" : "false");
  made.lastChild.textContent = watch !== null
    ? t("Sharing my position")
    : t("Share my position while this page is open");
};
/** A switch, where the browser has positions. */
export const shareButton = () => {
  if (!navigator.geolocation) return null;
  const made = h(
    "button",
    {
      type: "button",
      class: "share",
      onclick: () => {
        if (watch === null) start();
        else stop();
        mark(made);
      },
    },
    icon("device"),
    h("span", {}),
  );
  mark(made);
  return made;
};
/** Asks the browser once where it is. */
export const locate = () =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(coords),
      () => reject(new Error(t("The browser does not know its position."))),
      { enableHighAccuracy: true, timeout: 15000 },
    )
  );
