// Sources with their lists, and calendars that are subscribed to.

import { api, pathOf } from "./api.js";
import { form, isSure } from "./dialogs.js";
import { button, chip, empty, entry, field, h, head, icon, iconButton, refill } from "./dom.js";
import { n, t } from "./i18n.js";
import { whenText } from "./time.js";
import { change, failed } from "./toast.js";

export const show = async (page) => {
  const sources = h("ul", { class: "rows" }), subscriptions = h("ul", { class: "rows" });
  const name = async (source) => {
    const title = h("input", { type: "text", value: source?.title ?? "",
      required: true, maxlength: 200, autofocus: true });
    const saved = await form(source ? t("Rename source") : t("New source"), field(t("Title"), title), t("Save"), () => {
      const body = { title: title.value.trim() };
      return source ? api.patch(pathOf("sources", source.id), body) : api.post("/sources", body);
    });
    if (saved) await change(t("Saved: {title}", saved), () => saved);
  };
  const remove = async (kind, one, text) => {
    if (!(await isSure(t("Delete {title}?", one), text))) return;
    await change(t("Deleted: {title}", one), () => api.remove(pathOf(kind, one.id)));
  };
  const subscribe = async () => {
    const address = h("input", { type: "url", required: true, maxlength: 4000, autofocus: true,
      placeholder: "https://example.org/holidays.ics" });
    const title = h("input", { type: "text", maxlength: 200 });
    const saved = await form(
      t("Subscribe to a calendar"),
      [field(t("Address"), address), field(t("Title"), title, t("Empty for the calendar’s own name."))],
      t("Subscribe"),
      () => api.post("/subscriptions", { address: address.value.trim(),
        ...(title.value.trim() ? { title: title.value.trim() } : {}) }),
    );
    if (saved) await change(t("Subscribed: {title}", saved), () => saved);
  };
  const load = async (one) => {
    const { failure } = await api.post(pathOf("subscriptions", one.id, "refresh"), {});
    if (failure) throw Object.assign(new Error(failure), { status: 409 });
    await change(t("Refreshed: {title}", one), () => true);
  };
  const sourceRow = (one) =>
    entry(one.id, ["lists"], one.title, { details: [one.kind, one.lists.map((list) => chip(list.title))] },
      one.writable && [
        iconButton("edit", t("Rename {title}", one), () => name(one).catch(failed)),
        iconButton("trash", t("Delete {title}", one), () =>
          remove("sources", one,
            n(one.lists.length, "{n} list is deleted with it.", "{n} lists are deleted with it.")).catch(failed)),
      ]);
  const subscriptionRow = (one) =>
    entry(
      one.id,
      one.failure ? ["warn", "leave"] : ["agenda"],
      one.title,
      {
        details: [
          one.address,
          n(one.items, "{n} item", "{n} items"),
          one.succeeded ? t("updated {when}", { when: whenText(one.succeeded) }) : t("never updated"),
          one.failure && chip(one.failure, null, "warn"),
        ],
      },
      button(t("Refresh"), () => load(one).catch(failed), { "aria-label": t("Refresh {title}", one) }),
      iconButton("trash", t("Unsubscribe from {title}", one), () =>
        remove("subscriptions", one,
          n(one.items, "{n} item is deleted with it.", "{n} items are deleted with it.")).catch(failed)),
    );
  const refresh = async () => {
    const [a, b] = await Promise.all([api.get("/sources"), api.get("/subscriptions")]);
    refill(sources, a.sources.length ? a.sources.map(sourceRow)
      : empty(t("There is no source yet.")));
    refill(subscriptions,
      b.subscriptions.length ? b.subscriptions.map(subscriptionRow)
      : empty(t("Nothing is subscribed to yet.")));
  };
  const part = (title, action, run, rows) =>
    h("section", { class: "panel" }, h("header", { class: "bar-top" }, h("h2", {}, title),
      button(action, () => run().catch(failed), {}, icon("plus"))), rows);
  page.main.append(
    head(t("Sources")),
    part(t("Subscriptions"), t("Subscribe"), subscribe, subscriptions),
    part(t("Sources"), t("New source"), () => name(), sources),
  );
  await refresh();
  return { title: t("Sources"), refresh };
};
