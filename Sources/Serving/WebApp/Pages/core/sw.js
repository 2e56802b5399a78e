// Without a network: the pages as they were last, and the data that was last seen.

const PAGES = "fencepost-pages", DATA = "fencepost-data";
// The server puts the names in. A program has all its files below one address: modules of two programs never
// mix.
const ASSETS = "/assets/{version}/";
const SHELL = ["/now", "/icon.svg", "/manifest.webmanifest", ..."{files}".split(" ").map((name) => ASSETS + name)];
/** How many answers are kept of each path: the ranges, filters and limits that were last seen. */
const MOST = 8;
const KEPT =
  /^\/api\/v1\/(session|lists|items|agenda|devices|fences|alarms|firings|places|channels|settings)$/;
/** One item. */
const ITEM = /^\/api\/v1\/items\/([^/]+)$/;
/** How many items are kept that were seen by themselves. */
const MOST_ITEMS = 300;

self.addEventListener("install", (event) =>
  event.waitUntil((async () => {
    const cache = await caches.open(PAGES);
    await Promise.all(
      SHELL.map((path) => cache.add(path).catch(() => {/* A page that is missing here is fetched when it is used. */})),
    );
    await self.skipWaiting();
  })()));
self.addEventListener("activate", (event) =>
  event.waitUntil((async () => {
    await self.clients.claim();
    const cache = await caches.open(PAGES);
    for (const old of await cache.keys()) {
      const { pathname } = new URL(old.url);
      if (pathname.startsWith("/assets/") && !pathname.startsWith(ASSETS)) await cache.delete(old);
    }
  })()));

const trim = async (cache, path) => {
  const isOne = ITEM.test(path);
  const same = (await cache.keys()).map((key) => ({ key, name: new URL(key.url).pathname }))
    .filter(({ name }) => (isOne ? ITEM.test(name) : name === path));
  for (const { key } of same.slice(0, isOne ? -MOST_ITEMS : -MOST)) await cache.delete(key);
};
/** An item that was seen in a list or the agenda; undefined for others. */
const itemSeen = async (id) => {
  const cache = await caches.open(DATA);
  for (const key of (await cache.keys()).reverse()) {
    if (!/\/api\/v1\/(items|agenda)$/.test(new URL(key.url).pathname)) continue;
    const data = await (await cache.match(key)).json().catch(() => ({}));
    const entries = [data.overdue, data.days?.map((day) => day.entries)].flat(2);
    const all = [data.items, entries.map((entry) => entry?.item)].flat();
    const found = all.find((item) => item?.id === id);
    if (found) return new Response(JSON.stringify(found), { headers: { "Content-Type": "application/json" } });
  }
  return undefined;
};
// The network first; what came last if there is none or if it takes long.
const fresh = async (request, name, key = request, wait = 4000) => {
  const cache = await caches.open(name);
  const fetched = fetch(request).then(async (answer) => {
    if (answer.ok && !answer.redirected) {
      await cache.put(key, answer.clone());
      if (name === DATA) await trim(cache, new URL(key.url).pathname);
    }
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
    if (/^\/(signin|page|api)/.test(url.pathname)) return;
    event.respondWith(fetch(request).catch(async () => (await caches.match("/now")) ?? Response.error()));
  } else if (url.pathname.startsWith("/assets/")) {
    // What is at an address with a version never changes.
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (url.pathname.startsWith("/icon") || url.pathname === "/manifest.webmanifest") {
    event.respondWith(fresh(request, PAGES));
  }
  const one = ITEM.exec(url.pathname);
  if (one) {
    event.respondWith(fresh(request, DATA, request, 8000).catch(async (error) => {
      const seen = await itemSeen(decodeURIComponent(one[1]));
      if (seen) return seen;
      throw error;
    }));
  } else if (KEPT.test(url.pathname) && (url.pathname !== "/api/v1/items" || !url.searchParams.get("text"))) {
    event.respondWith(fresh(request, DATA, request, 8000));
  }
});

// Alarms that the server pushes. Each push shows something, or browsers take the permission away.
const texts = async () => {
  if (!navigator.language.startsWith("de")) return (text) => text;
  const table = await caches.match(ASSETS + "de.json").then((kept) => kept?.json()).catch(() => null);
  return (text) => table?.[text] ?? text;
};
const LABELS = { accept: "Accept", tentative: "Tentative", decline: "Decline", later: "Not now" };
/** The buttons of a suggestion. Where only two are shown, tentative is in the page. */
const choices = (answers, t) =>
  answers.filter((action) => action !== "tentative" || (self.Notification?.maxActions ?? 2) > 2)
    .map((action) => ({ action, title: t(LABELS[action] ?? action) }));
const show = async (alarm) => {
  const t = await texts();
  const answers = alarm.token
    ? alarm.answers
      ? choices(alarm.answers, t)
      : [{ action: "complete", title: t(alarm.reminder ? "Done" : "Seen") }, { action: "snooze", title: t("Snooze") }]
    : [];
  await self.registration.showNotification(alarm.title || "Fencepost", {
    body: alarm.body ?? "",
    tag: alarm.tag ?? "fencepost",
    renotify: true,
    silent: alarm.silent ?? false,
    timestamp: alarm.time,
    icon: "/icon-192.png",
    data: alarm,
    actions: answers,
  });
};
self.addEventListener("push", (event) => {
  let alarm = {};
  try {
    alarm = event.data?.json() ?? {};
  } catch {
    /* It is shown without its text. */
  }
  event.waitUntil(show(alarm));
});

/** Answers an alarm or a suggestion with the token of its notification, which works where nobody is signed in. */
const answer = async (alarm, action) => {
  if (action === "later") return;
  const path = alarm.suggestion
    ? `suggestions/${encodeURIComponent(alarm.suggestion)}`
    : `firings/${encodeURIComponent(alarm.id)}`;
  const done = await fetch(`/api/v1/${path}/${action}`, {
    method: "POST",
    credentials: "omit",
    headers: { Authorization: `Bearer ${alarm.token}`, "Content-Type": "application/json" },
    body: "{}",
  }).catch(() => undefined);
  if (done?.ok) return;
  // Answered before, or changed since: another press would not help.
  const refusal = done?.status === 409 && await done.json().then((reply) => reply.detail, () => undefined);
  await show({
    ...alarm,
    ...(refusal && { token: undefined }),
    body: (await texts())(refusal || "This did not reach Fencepost. Try again."),
  });
};
/** A page of its own for what stands at one address alone; otherwise the page that is open comes to the front. */
const open = async (path, exact) => {
  if (exact) return self.clients.openWindow(exact);
  const pages = await self.clients.matchAll({ type: "window" });
  if (pages.length) return pages[0].focus();
  return self.clients.openWindow(path);
};
self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event, alarm = notification.data ?? {};
  notification.close();
  const page = alarm.suggestion ? "/suggestions" : "/now";
  event.waitUntil(action && alarm.token ? answer(alarm, action) : open(page, alarm.open));
});
// A browser that changes its address tells it where it is still signed in; else the app does when it is
// opened.
self.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil((async () => {
    const key = event.oldSubscription?.options.applicationServerKey;
    const made = event.newSubscription ??
      (key && await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
    if (!made) return;
    await fetch("/api/v1/push/subscriptions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(made),
    });
  })()));
