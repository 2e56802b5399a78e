// The shell: navigation, routes, live updates, keys.

import { api, appPage, pathOf } from "./api.js";
import { button, h, icon, later } from "./dom.js";
import { t } from "./i18n.js";
import { keys } from "./keys.js";
import { flush } from "./offline.js";
import { keepPush } from "./push.js";
import { current, go, route } from "./router.js";
import { hidden, loadLists, loadSession, state, tint, toggleList } from "./state.js";
import { dropOn } from "./rows.js";
import { failed, onChange, toast } from "./toast.js";

const nav = document.getElementById("nav");
const PLACES = [
  ["/now", "now", "Now"],
  ["/agenda", "agenda", "Agenda"],
  ["/lists", "lists", "Lists"],
  ["/places", "places", "Places"],
  ["/day/today", "day", "Day"],
  ["/log", "log", "Log"],
  ["/search", "search", "Search"],
  ["/settings", "settings", "Settings"],
];

const link = ([path, name, label]) =>
  h("a", { href: path, class: "place", "data-path": path.replace("/today", "") }, icon(name), h("span", {}, t(label)));

const showNav = () => {
  const lists = h(
    "ul",
    { class: "chooser" },
    state.lists.map((list) => {
      const box = h("input", {
        type: "checkbox",
        style: tint(list.color),
        "aria-label": t("Show {list} in the agenda", { list: list.title }),
        onchange: () => {
          toggleList(list.id);
          refresh();
        },
      });
      box.checked = !hidden.has(list.id);
      const row = h(
        "li",
        { "data-list": list.id },
        box,
        h("a", { href: pathOf("lists", list.id) }, list.title),
        list.open ? h("small", {}, list.open) : null,
      );
      if (list.writable) dropOn(row, { list: list.id });
      return row;
    }),
  );
  nav.replaceChildren(
    h(
      "a",
      { href: "/now", class: "brand" },
      h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", {}, "Fencepost"),
    ),
    h("div", { class: "places" }, PLACES.map(link)),
    h("section", { class: "wide", "aria-label": t("Lists") }, h("h2", {}, t("Lists")), lists),
    h(
      "div",
      { class: "wide foot" },
      button(t("Keys"), () => keys.help(), { class: "quiet" }),
      button(t("Sign out"), signOut, { class: "quiet" }),
    ),
  );
  markPlace();
};
const markPlace = () => {
  for (const one of nav.querySelectorAll("a.place")) {
    const isHere = location.pathname.startsWith(one.dataset.path);
    if (isHere) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
};

export const signOut = async () => {
  try {
    await api.remove("/session");
    for (const key of await caches.keys()) if (key.endsWith("data")) await caches.delete(key);
  } catch (error) {
    return failed(error);
  }
  location.assign("/");
};

let isLoading = false, isOld = false;
/** Shows everything as it is now: once at a time, and once more if something changed meanwhile. */
const refresh = async () => {
  isOld = true;
  if (isLoading) return;
  isLoading = true;
  try {
    while (isOld) {
      isOld = false;
      await Promise.all([loadLists().then(showNav), current.page?.refresh?.()]);
    }
  } catch (error) {
    if (!error.isOffline) failed(error);
  } finally {
    isLoading = false;
  }
};
const refreshSoon = later(120, refresh);
// A page for an app shows its own result. Its right may have ended with the change.
if (!appPage) onChange(refresh);

/** A line above the page while what it shows may be old. */
const reach = h("p", { class: "reach", role: "status" });
if (!appPage) document.getElementById("main").before(reach);
const showReach = (isReached) => {
  const text = isReached ? "" : t("Fencepost can’t be reached now. This is what it was at last.");
  if (reach.textContent !== text) reach.textContent = text;
};

// Live updates, only while the page is seen.
let stream;
const listen = () => {
  if (document.hidden || stream) return;
  stream = new EventSource("/api/v1/events");
  stream.addEventListener("change", refreshSoon);
  stream.addEventListener("positions", () => current.page?.moved?.());
  stream.addEventListener("firing", (event) => {
    const firing = JSON.parse(event.data);
    toast(firing.item?.title ?? "", { actions: [[t("Show"), () => go("/now")]], seconds: 20 });
    refreshSoon();
  });
  stream.onopen = () => showReach(true);
  stream.onerror = () => {
    showReach(false);
    if (stream?.readyState === EventSource.CLOSED) {
      stream = null;
      setTimeout(listen, 10000);
    }
  };
};
document.addEventListener("visibilitychange", () => {
  if (appPage) return;
  if (!document.hidden) {
    listen();
    refresh();
    return;
  }
  stream?.close();
  stream = null;
});
addEventListener("pagehide", () => {
  stream?.close();
  stream = null;
});
addEventListener("pageshow", (event) => {
  if (event.persisted && !appPage) listen();
});
addEventListener("online", async () => {
  if (appPage) return;
  await send();
  refresh();
});
addEventListener("offline", () => showReach(false));
/** Sends what was kept without a network. */
const send = async () => {
  const sent = await flush((body, error) =>
    toast(t("{title} is kept on this device: {reason}", { title: body.title ?? body.text, reason: error.message }),
      { isError: true, seconds: 20, actions: [[t("Show"), () => go("/settings")]] }));
  if (sent) toast(t("Reminders kept while offline are saved now."));
  return sent;
};

document.getElementById("skip").textContent = t("Skip to content");
const start = async () => {
  // It has its own right, and shows nothing of the rest.
  if (appPage) {
    nav.remove();
    document.getElementById("skip").remove();
    return route();
  }
  try {
    await loadSession();
    await loadLists();
  } catch (error) {
    failed(error);
  }
  showNav();
  addEventListener("routed", markPlace);
  await route();
  listen();
  if (await send()) refresh();
  const policy = globalThis.trustedTypes?.createPolicy("fencepost", {
    createScriptURL: (url) => (url === "/sw.js" ? url : ""),
  });
  navigator.serviceWorker?.register(policy ? policy.createScriptURL("/sw.js") : "/sw.js", { type: "module" }).catch(
    () => {/* Without it, the app works online only. */},
  );
  keepPush().catch(() => {/* The settings tell whether alarms come here. */});
};
start();
