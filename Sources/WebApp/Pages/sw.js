// Without a network: the pages as they were last, and the data that was last seen.

const PAGES = "fencepost-pages", DATA = "fencepost-data";
const SHELL = [
  "/now",
  "/assets/app.css",
  "/icon.svg",
  "/manifest.webmanifest",
  "/assets/de.json",
  ...[
    "agenda",
    "alarms",
    "api",
    "app",
    "clients",
    "conflict",
    "day",
    "dialogs",
    "dom",
    "editor",
    "editor-fields",
    "editor-parts",
    "fence-editor",
    "i18n",
    "keys",
    "lists",
    "log",
    "map",
    "map-paint",
    "now",
    "offline",
    "phone",
    "place-picker",
    "places",
    "position",
    "quick",
    "repeat",
    "router",
    "rows",
    "settings",
    "state",
    "time",
    "toast",
    "when",
  ].map((name) => `/assets/${name}.js`),
];
const KEPT = /^\/api\/v1\/(session|lists|items|agenda|devices|fences|alarms|firings|places)$/;

self.addEventListener("install", (event) =>
  event.waitUntil((async () => {
    const cache = await caches.open(PAGES);
    await Promise.all(
      SHELL.map((path) => cache.add(path).catch(() => {/* A page that is missing here is fetched when it is used. */})),
    );
    await self.skipWaiting();
  })()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// The network first; what came last if there is none or if it takes long.
const fresh = async (request, name, key = request, wait = 4000) => {
  const cache = await caches.open(name);
  const fetched = fetch(request).then(async (answer) => {
    if (answer.ok && !answer.redirected) await cache.put(key, answer.clone());
    if (answer.status === 401) await caches.delete(DATA);
    return answer;
  });
  fetched.catch(() => {/* Looked at below. */});
  const kept = await cache.match(key);
  if (!kept) return fetched;
  return Promise.race([fetched.catch(() => kept), new Promise((resolve) => setTimeout(resolve, wait, kept))]);
};

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    // Every page is the same shell. Only a failure shows the kept one, so that signing in and out works.
    if (/^\/(signin|login|api)/.test(url.pathname)) return;
    event.respondWith(fetch(request).catch(async () => (await caches.match("/now")) ?? Response.error()));
  } else if (
    url.pathname.startsWith("/assets/") || url.pathname.startsWith("/icon") || url.pathname === "/manifest.webmanifest"
  ) event.respondWith(fresh(request, PAGES));
  else if (KEPT.test(url.pathname) && (url.pathname !== "/api/v1/items" || !url.searchParams.get("text"))) {
    event.respondWith(fresh(request, DATA, request, 8000));
  }
});
