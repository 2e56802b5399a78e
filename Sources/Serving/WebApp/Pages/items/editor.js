// An event or a reminder: shown, made and changed.

import { api, appPage, pathOf, query } from "./api.js";
import { conflict } from "./conflict.js";
import { ask, askSpan, isSure } from "./dialogs.js";
import { button, h, head, icon, quiet } from "./dom.js";
import { difference, fields, occurrenceOf, ofSeries, prefilled, same } from "./editor-fields.js";
import { attachments, changedBy, people, subtasks, why } from "./editor-parts.js";
import { t } from "./i18n.js";
import { withKept } from "./offline.js";
import { add } from "./quick.js";
import { back, go } from "./router.js";
import { repeatText } from "./repeat.js";
import { tick } from "./rows.js";
import { isOwner, tint } from "./state.js";
import { change, failed } from "./toast.js";

/** What was typed before the kind was switched. */
let carried = null;

/** `page.draft` has fields that an app filled in, and `page.finish(outcome)` tells it what came of them. */
export const show = async (page) => {
  const isNew = !page.id, occurrence = page.query.get("occurrence");
  const master = isNew
    ? { ...prefilled(page.query), ...page.draft }
    : withKept(await api.get(pathOf("items", page.id)));
  // For the owner, the server makes the first list.
  if (isNew && !master.list_id && (appPage || !isOwner())) {
    throw new Error(t("There is no list that can be written. Make one first."));
  }
  const typed = isNew && carried;
  carried = null;
  const stored = occurrenceOf(master, occurrence);
  const item = isNew ? { ...stored, ...typed } : { ...stored, ...page.draft };
  const isSeries = !isNew && item.type === "event" && item.repeat?.length > 0;
  const path = pathOf("items", item.id ?? "");
  const problem = h("p", { class: "problem", role: "alert" });
  const form = fields(item);
  const readQuietly = (of = form) => {
    try {
      return of.read();
    } catch {
      return null;
    }
  };
  const before = readQuietly(typed || (page.draft && !isNew) ? fields(stored) : form) ?? {};
  let etag = master.etag, isSaved = false, isGone = false;
  const body = () => (isNew ? form.read() : difference(before, form.read()));
  const isChanged = () => !isSaved && item.writable && !same(readQuietly(), before);
  const leave = (outcome) => {
    isSaved = true;
    return page.finish ? page.finish(outcome) : back();
  };
  const fail = (error) => {
    problem.textContent = error.message;
    (error.element ?? problem).scrollIntoView({ block: "center" });
    error.element?.focus();
  };

  const createItem = async (wanted) => {
    for (const [key, value] of Object.entries(wanted)) {
      // What an app filled in and the user emptied is said to be empty.
      if (page.draft?.[key] !== undefined) continue;
      if (value === null && key !== "time_zone" || Array.isArray(value) && !value.length) delete wanted[key];
    }
    if (await add({ type: item.type, ...wanted })) leave("saved");
  };
  let isBusy = false;
  /** Saves once, however often it is asked for. */
  const save = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await saveNow();
    } finally {
      isBusy = false;
    }
  };
  const saveNow = async () => {
    problem.textContent = "";
    let wanted;
    try {
      wanted = body();
    } catch (error) {
      return fail(error);
    }
    if (isNew) return createItem(wanted);
    if (isGone) return saveAsNew();
    if (!Object.keys(wanted).length) return leave("unchanged");
    const span = isSeries ? await askSpan(t("Save the change to {title}", item)) : "all";
    if (!span) return;
    if (isSeries && occurrence && span === "all") wanted = ofSeries(wanted, before, master);
    try {
      const saved = await carefully(wanted, () => api.patch(path + query(part(span)), wanted, etag));
      if (!saved) return;
      isSaved = true;
      await change(t("Saved: {title}", { title: wanted.title ?? item.title }), () => saved);
      leave("saved");
    } catch (error) {
      if (error.status !== 404) return fail(error);
      goneElsewhere();
      const answer = await ask(t("This was deleted elsewhere."), "", [["new", t("Save as new"), "primary"]]);
      if (answer) await saveAsNew();
    }
  };
  /** What was deleted elsewhere is kept as a new item, with all that is in the fields. */
  const saveAsNew = async () => {
    const wanted = form.read();
    if (wanted.alarms) wanted.alarms = wanted.alarms.map(({ id: _, ...alarm }) => alarm);
    await createItem(wanted);
  };
  const goneElsewhere = () => {
    isGone = true;
    problem.textContent = t("This was deleted elsewhere. Save keeps it as a new one.");
  };
  const part = (span) => (isSeries ? { span, occurrence: span === "all" ? undefined : occurrence } : {});
  /** Changes what was seen here. If it was changed elsewhere meanwhile, the reader decides; null if it is left. */
  const carefully = async (wanted, run) => {
    for (;;) {
      try {
        return (await run()) ?? {};
      } catch (error) {
        if (error.status !== 412 || !error.current) throw error;
        const answer = await conflict(master, wanted, error.current);
        if (answer === "theirs") {
          isSaved = true;
          go(location.pathname + location.search, { replaces: true });
        }
        if (answer !== "mine") return null;
        etag = error.current.etag;
      }
    }
  };
  const remove = async () => {
    const title = t("Delete {title}?", item);
    const span = isSeries
      ? await askSpan(title)
      : await isSure(title, item.subtasks ? t("Its subtasks stay.") : "") && "all";
    if (!span) return;
    isSaved = true;
    let removed;
    try {
      removed = await carefully(null, () => api.remove(path + query(part(span)), etag)).catch((error) => {
        if (error.status === 404) return {};
        throw error;
      });
    } finally {
      if (!removed) isSaved = false;
    }
    if (removed && await change(t("Deleted: {title}", item), () => removed)) leave("deleted");
  };

  const tasks = !isNew && item.type === "reminder" && !appPage ? subtasks(item) : null;
  const others = isNew ? null : h(
    "div",
    { class: "stack" },
    tasks,
    people(item),
    attachments(item),
    appPage || !isOwner() ? null : why(item),
    appPage ? null : changedBy(item),
  );
  const heading = isNew
    ? t(item.type === "event" ? "New event" : "New reminder")
    : t(item.type === "event" ? "Event" : "Reminder");
  const kind = isNew && !appPage &&
    h(
      "div",
      { class: "switch", role: "group", "aria-label": t("Kind") },
      ["reminder", "event"].map((type) =>
        h("a", {
          href: `/new${
            query({
              ...Object.fromEntries(page.query),
              type,
              ...(type === "reminder"
                ? { start: "", end: "", due: page.query.get("start") }
                : { start: page.query.get("due") ?? page.query.get("start") ?? "" }),
            })
          }`,
          onclick: () => {
            // The title and all else that both kinds have goes along.
            const { title, notes, url, tags, alarms } = readQuietly() ?? { title: form.title.value };
            carried = { title, notes, url, tags, alarms };
            isSaved = true;
          },
          "aria-current": item.type === type ? "true" : null,
        }, t(type === "event" ? "Event" : "Reminder"))
      ),
    );
  page.main.classList.add("editor");
  page.main.append(
    h(
      "form",
      {
        class: "stack",
        novalidate: true,
        style: tint(item.color),
        onsubmit: (event) => {
          event.preventDefault();
          save().catch(failed);
        },
      },
      head(
        heading,
        kind,
        !isNew && item.type === "reminder" && item.writable && !appPage &&
          button(
            item.completed ? t("Open again") : t("Done"),
            async () => {
              if (await tick(item)) leave();
            },
            {},
            icon("check"),
          ),
        !isNew && item.writable && button(t("Delete"), () => remove().catch(failed), { class: "danger" }),
        button(t(item.writable ? "Cancel" : "Back"), () => leave()),
        item.writable && h("button", { class: "primary" }, t("Save")),
      ),
      isSeries &&
        quiet(
          icon("repeat"),
          ` ${repeatText(item)}`,
          occurrence ? "" : ` · ${t("These are the times of the first one.")}`,
        ),
      !item.writable && quiet(t("This list can’t be changed here.")),
      problem,
      form.element,
    ),
    others ?? "",
  );
  if (isNew) setTimeout(() => form.title.focus({ preventScroll: true }), 0);
  const mayLeave = async () =>
    !isChanged() || (await isSure(t("Leave without saving?"), "", t("Leave"))) === true;
  // A change elsewhere is shown at once, unless something was typed here. New subtasks are no change of it.
  const refresh = async () => {
    if (isNew || isSaved || isGone || document.querySelector("dialog[open]")) return;
    let now;
    try {
      now = await api.get(pathOf("items", page.id));
    } catch (error) {
      if (error.status !== 404) throw error;
      return goneElsewhere();
    }
    const own = ({ etag: _, subtasks, modified_at, ...rest }) => rest;
    if (same(own(now), own(master))) {
      [etag, master.etag, master.subtasks] = [now.etag, now.etag, now.subtasks];
      await tasks?.load();
    } else if (!isChanged()) {
      // What was typed while the page is made again would be lost.
      page.main.inert = true;
      await go(location.pathname + location.search, { replaces: true });
    }
  };
  return { title: item.title || heading, refresh, mayLeave, isChanged };
};
