// Addresses and the modules that show them.
// A module's `show(page)` fills page.main and gives {title} and what else it has: refresh, moved, shown, close, keys,
// begin, mayLeave, isChanged.

import { appPage, unreachable } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { quickEntry } from "./quick.js";
import { isOwner } from "./state.js";
import { failed } from "./toast.js";

const ROUTES = [
  [/^\/now$/, () => import("./now.js")],
  [/^\/agenda$/, () => import("./agenda.js")],
  [/^\/lists(?:\/([^/]+))?$/, () => import("./lists.js")],
  [/^\/item\/([^/]+)$/, () => import("./editor.js")],
  [/^\/(?:new|edit)$/, () => import("./editor.js")],
  [/^\/page\/([^/]+)$/, () => import("./app-page.js")],
  [/^\/day\/([^/]+)$/, () => import("./day.js")],
  [/^\/places(?:\/([^/]+))?$/, () => import("./places.js")],
  [/^\/clients$/, () => import("./clients.js")],
  [/^\/phone$/, () => import("./phone.js")],
  [/^\/suggestions$/, () => import("./inbox.js")],
  [/^\/conflicts$/, () => import("./conflicts.js")],
  [/^\/sources$/, () => import("./sources.js")],
  [/^\/start$/, () => import("./start.js")],
  [/^\/transfer$/, () => import("./transfer.js")],
  [/^\/status$/, () => import("./status.js")],
  [/^\/accounts$/, () => import("./accounts.js")],
  [/^\/channels$/, () => import("./channels.js")],
  [/^\/log$/, () => import("./log.js")],
  [/^\/search$/, () => import("./search.js")],
  [/^\/changes$/, () => import("./changes.js")],
  [/^\/settings$/, () => import("./settings.js")],
];
const main = document.getElementById("main");
history.scrollRestoration = "manual";
/** Where the reader was on each page of the way here: how far it was scrolled, and the row with the focus. */
const seen = new Map();
const SCROLLED = "html, .side, .scroller";
const leave = () => {
  if (!current.path) return;
  seen.set(current.depth, {
    path: current.path,
    scrolled: [...document.querySelectorAll(SCROLLED)].map((one) => one.scrollTop),
    key: document.activeElement?.closest("#main [data-key]")?.dataset.key,
  });
};
const comeBack = () => {
  const { path, scrolled, key } = seen.get(current.depth) ?? {};
  if (path !== current.path) return;
  const row = key && main.querySelector(`[data-key="${CSS.escape(key)}"]`);
  (row?.querySelector("a") ?? row?.querySelector("button"))?.focus({ preventScroll: true });
  [...document.querySelectorAll(SCROLLED)].forEach((one, i) => (one.scrollTop = scrolled[i] ?? 0));
};
export const current = { page: null, path: null, depth: 0 };
let turn = 0;

/** A module that did not come. Firefox says so also while the reader leaves: then nothing follows the pause. */
const again = async (load) => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return load();
};
/** A module that can't be loaded: if another program answers now, its page is loaded instead, once. */
const reloadIfReplaced = async (error) => {
  const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (!answer || answer.status === 503) throw unreachable();
  if (answer.status === 404 && sessionStorage.getItem("reloaded") !== import.meta.url) {
    sessionStorage.setItem("reloaded", import.meta.url);
    location.reload();
    await new Promise(() => {/* The page goes. */});
  }
  throw error;
};
/** A part of an address; null if it is not well-formed. */
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

export const route = async ({ isBack = false } = {}) => {
  if (location.pathname === "/") history.replaceState(null, "", isOwner() ? "/now" : "/lists");
  const mine = ++turn;
  const found = ROUTES.map(([pattern, load]) => ({ match: pattern.exec(location.pathname), load }))
    .find(({ match }) => match && decoded(match[1] ?? "") !== null);
  current.page?.close?.();
  current.page = null;
  const place = h("div", { class: "page" });
  const page = {
    main: place,
    id: found?.match[1] && decoded(found.match[1]),
    query: new URLSearchParams(location.search),
    path: location.pathname,
  };
  let shown = { title: t("Not found") };
  try {
    if (found) shown = await (await found.load().catch(() => again(found.load)).catch(reloadIfReplaced)).show(page);
    else place.append(h("h1", {}, t("There is no such page.")));
  } catch (error) {
    failed(error);
    shown = { title: "Fencepost", refresh: route };
    place.replaceChildren(
      h("h1", {}, t("This can’t be shown now.")),
      h("p", {}, error.message),
      appPage ? "" : quickEntry(),
    );
  }
  if (mine !== turn) return shown.close?.();
  current.page = shown;
  current.path = location.pathname + location.search;
  current.depth = history.state?.depth ?? 0;
  document.title = `${shown.title} – Fencepost`;
  main.replaceChildren(place);
  main.scrollTop = 0;
  scrollTo(0, 0);
  shown.begin?.();
  if (isBack) comeBack();
  shown.shown?.();
  dispatchEvent(new Event("routed"));
};

/** Shows another address; asks the page first if something is unsaved. */
export const go = async (path, { replaces = false } = {}) => {
  if (current.page?.mayLeave && !(await current.page.mayLeave())) return;
  const depth = history.state?.depth ?? 0;
  leave();
  if (replaces) history.replaceState({ depth }, "", path);
  else history.pushState({ depth: depth + 1 }, "", path);
  const hadFocus = main.contains(document.activeElement);
  await route();
  if (hadFocus || document.activeElement === document.body) main.focus({ preventScroll: true });
};
/** To where the reader came from within the app. */
export const back = () => (history.state?.depth ? history.back() : go("/now", { replaces: true }));

let isAsking = false;
addEventListener("popstate", async () => {
  const { page, path, depth } = current;
  if (!page?.isChanged?.()) {
    leave();
    return route({ isBack: true });
  }
  // The address is that of what is shown, until the reader has answered.
  history.pushState({ depth }, "", path);
  if (isAsking) return;
  isAsking = true;
  const mayLeave = await page.mayLeave();
  isAsking = false;
  if (!mayLeave) return;
  page.isChanged = null;
  history.back();
});
addEventListener("go", ({ detail }) => go(detail));
addEventListener("beforeunload", (event) => {
  if (current.page?.isChanged?.()) event.preventDefault();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (
    !link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  ) return;
  if (
    link.origin !== location.origin || link.target || link.hasAttribute("download") ||
    link.getAttribute("href").startsWith("#")
  ) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
