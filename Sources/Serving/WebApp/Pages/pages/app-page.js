// A page that an app asked for: an item to edit or to see, or calendars to choose from.
// The app gets the result.

import { api, appPage, eventsPath, pathOf } from "./api.js";
import { describe } from "./conflict.js";
import { button, check, h, head, icon, quiet, refill } from "./dom.js";
import { show as edit } from "./editor.js";
import { occurrenceOf } from "./editor-fields.js";
import { attachments, people } from "./editor-parts.js";
import { t } from "./i18n.js";
import { loadLists, loadSession, state, tint } from "./state.js";
import { failed } from "./toast.js";

const END = {
  saved: "Saved. You can close this window.",
  deleted: "Deleted. You can close this window.",
  done: "Done. You can close this window.",
  canceled: "Nothing was changed. You can close this window.",
  over: "This page is over. Start it again in the app.",
};

export const show = async (page) => {
  document.body.classList.add("alone");
  page.main.classList.add("editor");
  let stream, isOver = false, shown = {};
  const over = (outcome) => {
    isOver = true;
    stream?.close();
    page.main.replaceChildren(h("h1", {}, t("Page for an app")), h("p", { role: "status" }, t(END[outcome])));
    document.title = "Fencepost";
    shown = {};
    // Browsers allow it for a window that shows only this.
    close();
  };
  const finish = async (outcome) => {
    const told = outcome === "saved" || outcome === "deleted" ? outcome : outcome === "done" ? "done" : "canceled";
    try {
      // Of what was saved or deleted the server has told the app already.
      if (told === "done" || told === "canceled") await api.post("/page/end", { outcome: told });
    } catch (error) {
      if (error.isOffline) return failed(error);
    }
    over(told);
  };
  let asked;
  try {
    asked = await api.get("/page");
    await Promise.all([loadSession(), loadLists()]);
  } catch (error) {
    if (error.status !== 401 && error.status !== 403) throw error;
    over("over");
    return { title: t("Page for an app") };
  }
  const leaving = () => {
    if (!isOver) api.post("/page/end", { outcome: "left" }).catch(() => {/* The server notices in any case. */});
  };
  addEventListener("pagehide", leaving, { once: true });
  stream = new EventSource(eventsPath);
  // Saving is a change as well, and ends the page while this runs.
  stream.addEventListener("change", () => {
    if (!isOver) shown.refresh?.().catch((error) => { if (!isOver) failed(error); });
  });
  // The server ends the page. A reconnection would be refused.
  stream.addEventListener("end", () => {
    stream.close();
    // What the user did here shows its own result first.
    setTimeout(() => { if (!isOver) over("over"); }, 1000);
  });
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED && !isOver) over("over");
  };
  const from = quiet(t(
    asked.kind === "choose" ? "{app} asks you to choose."
      : asked.kind === "view" ? "{app} shows you this."
      : "{app} asks you to check this.",
    { app: asked.app },
  ));
  const query = new URLSearchParams({ type: asked.entity });
  for (const [key, value] of Object.entries({ occurrence: asked.occurrence, list: asked.list })) {
    if (value) query.set(key, value);
  }
  const editor = async (end) => {
    page.main.replaceChildren(from);
    shown = await edit({ main: page.main, id: asked.item, query, draft: asked.draft ?? {}, finish: end });
  };
  if (asked.kind === "edit") await editor(finish);
  else if (asked.kind === "choose") shown = chooser(page.main, asked, from, finish);
  else shown = await viewer(page.main, asked, from, finish, editor);
  return {
    title: shown.title,
    isChanged: () => Boolean(shown.isChanged?.()),
    mayLeave: () => shown.mayLeave?.() ?? true,
    close: () => {
      removeEventListener("pagehide", leaving);
      stream.close();
    },
  };
};

/** Shows an item and follows its changes. */
const viewer = async (main, asked, from, finish, editor) => {
  const path = pathOf("items", asked.item), place = h("div", { class: "stack" });
  const view = async () => {
    let master;
    try {
      master = await api.get(path);
    } catch (error) {
      if (error.status !== 404) throw error;
      return refill(place, h("h1", {}, t("This was deleted.")),
        button(t("Finish"), () => finish("deleted"), { class: "primary" }));
    }
    const item = occurrenceOf(master, asked.occurrence);
    refill(
      place,
      head(
        item.title,
        asked.allows_editing && item.writable && button(t("Edit"), () => change().catch(failed)),
        button(t("Finish"), () => finish("done"), { class: "primary" }),
      ),
      h("div", { class: "panel" },
        h("dl", { class: "facts" },
          describe(item).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]))),
      people(item) ?? "",
      attachments(item) ?? "",
    );
  };
  // After an edit the viewer comes back; a deleted item ends it.
  const change = () => editor((outcome) => (outcome === "deleted" ? finish(outcome) : start().catch(failed)));
  const start = async () => {
    main.replaceChildren(from, place);
    await view();
  };
  await start();
  return { title: asked.app, refresh: async () => place.isConnected && view() };
};

/** Calendars to choose from, by source. */
const chooser = (main, asked, from, finish) => {
  const chosen = new Set(asked.selected), type = asked.multiple ? "checkbox" : "radio";
  let told = Promise.resolve();
  const tell = (list, isOn) => {
    if (!asked.multiple) chosen.clear();
    if (isOn) chosen.add(list.id);
    else chosen.delete(list.id);
    const calendars = [...chosen];
    // One after the other, or an older choice could come last.
    told = told.then(() => api.post("/page/selection", { calendars })).catch(failed);
  };
  const row = (list) => {
    const box = check(list.title, chosen.has(list.id), {
      type, name: "calendar", style: tint(list.color), onchange: (event) => tell(list, event.target.checked),
    });
    return h("li", {}, box, !list.writable && h("small", {}, t("read-only")));
  };
  const title = t(asked.entity === "event" ? "Calendars" : "Lists");
  main.replaceChildren(
    from,
    head(
      title,
      asked.cancel && button(t("Cancel"), () => finish("canceled")),
      asked.done && button(t("Finish"), () => told.then(() => finish("done")), { class: "primary" }),
    ),
    ...[...Map.groupBy(state.lists, (list) => list.source)].map(([source, lists]) =>
      h("section", { class: "panel", "aria-label": source ?? title },
        source && h("h2", {}, source),
        h("ul", { class: "chooser" }, lists.map(row)))
    ),
    state.lists.length ? "" : h("p", { class: "empty" }, icon("lists"), t("There is nothing to choose.")),
  );
  return { title };
};
