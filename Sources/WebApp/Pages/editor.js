// An event or a reminder: shown, made and changed.

import { alarmFields } from "./alarms.js";
import { api, query } from "./api.js";
import { ask, askSpan } from "./dialogs.js";
import { button, choice, field, h, icon } from "./dom.js";
import { conflict } from "./conflict.js";
import { t } from "./i18n.js";
import { create } from "./offline.js";
import { placeField } from "./place-picker.js";
import { repeatFields } from "./repeat.js";
import { go } from "./router.js";
import { repeatText, row, tick } from "./rows.js";
import { state, tint, writable } from "./state.js";
import { timeFields } from "./when.js";
import { minutesBetween, today, wall, addMinutes, addDays, daysBetween, isDay } from "./time.js";
import { change, failed } from "./toast.js";

/** A new item of the address: /new?type=…&title=…, also what other apps share (title, text, url). */
const prefilled = (values) => {
  const type = values.get("type") === "event" || values.has("start") ? "event" : "reminder";
  const found = writable(type).find((list) => list.id === values.get("list")) ?? writable(type)[0];
  const [title, text, url] = ["title", "text", "url"].map((key) => values.get(key)?.trim() ?? "");
  const link = url || /https?:\/\/\S+/.exec(text)?.[0] || "", rest = text.replace(link, "").trim();
  const start = values.get("start") ?? (type === "event" ? today() : null);
  return {
    type, title: title || rest.split("\n")[0].slice(0, 200), notes: values.get("notes") ?? (title ? rest : rest.split("\n").slice(1).join("\n")), url: link, list_id: found?.id,
    ...(type === "event" ? { start: isDay(start) ? `${start}T09:00` : start, end: values.get("end") ?? addMinutes(isDay(start) ? `${start}T09:00` : start, 60), time_zone: state.session?.zone } : { due: values.get("due") || undefined }),
    location: values.get("location") ?? "", alarms: [], writable: true, color: found?.color,
  };
};
/** An occurrence of a series as an item with its own times. */
const occurrenceOf = (item, occurrence) => {
  if (!occurrence || item.type !== "event" || !item.repeat?.length) return item;
  const at = wall(occurrence), [start, end] = [wall(item.start), wall(item.end ?? item.start)];
  if (isDay(at)) return { ...item, start: at, end: addDays(at, daysBetween(start, end)) };
  return { ...item, start: occurrence, end: new Date(Date.parse(occurrence) + (Date.parse(item.end ?? item.start) - Date.parse(item.start) || minutesBetween(start, end) * 60000)).toISOString() };
};

const STATUS = { "needs-action": "no answer yet" };
const people = (item) => item.attendees?.length || item.organizer ? h("section", { class: "panel" }, h("h2", {}, t("People")), h("ul", { class: "people" },
  item.organizer && h("li", {}, h("b", {}, item.organizer.name || item.organizer.address), h("small", {}, t("organizer"))),
  item.attendees?.map((one) => h("li", {}, h("span", {}, one.name || one.address?.replace(/^mailto:/, "")), h("small", {}, [t(STATUS[one.status] ?? one.status ?? ""), one.role && t(one.role)].filter(Boolean).join(", ")))))) : null;
const attachments = (item) => item.attachments?.length ? h("section", { class: "panel" }, h("h2", {}, t("Attachments")), h("ul", {}, item.attachments.map((one) => {
  const address = one.url ?? one.uri ?? one;
  return h("li", {}, /^https?:/.test(address) ? h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, one.name ?? address) : String(one.name ?? address));
}))) : null;

/** Subtasks of a reminder, with a box for further ones. */
const subtasks = async (item) => {
  const { items } = item.subtasks ? await api.get("/items", { list: item.list_id, completed: "all", kind: "reminder" }) : { items: [] };
  const add = h("input", { type: "text", placeholder: t("New subtask"), "aria-label": t("New subtask"), maxlength: 1000 });
  const form = h("form", { class: "pair", onsubmit: async (event) => {
    event.preventDefault();
    const title = add.value.trim();
    if (title) await change(t("Added: {text}", { text: title }), () => api.post("/items", { type: "reminder", title, list_id: item.list_id, parent: item.uid }));
  } }, add, h("button", {}, t("Add")));
  const own = items.filter((one) => one.parent === item.uid);
  return h("section", { class: "panel" }, h("h2", {}, t("Subtasks")), own.length ? h("ul", { class: "rows" }, own.map((one) => row(one, { hasList: false }))) : null, item.writable && form);
};

/** All fields. `read()` gives what the API takes; a problem is an error with the element to go to. */
const fields = async (item, isNew) => {
  const isEvent = item.type === "event";
  const title = h("input", { type: "text", class: "big", value: item.title ?? "", placeholder: t("Title"), "aria-label": t("Title"), required: true, maxlength: 2000 });
  const lists = state.lists.filter((list) => (list.writable && (isEvent ? list.events : list.reminders)) || list.id === item.list_id);
  const list = choice(item.list_id, lists.map((one) => [one.id, `${one.title}${one.source && one.source !== "Local" ? ` (${one.source})` : ""}`]));
  const when = timeFields(item);
  const repeat = repeatFields(item.repeat, item.repeat_text, when.about);
  when.onchange(repeat.show);
  const place = isEvent ? placeField(t("Place"), item.place ?? null, { color: item.color, initialText: item.place ? "" : item.location ?? "" }) : null;
  const alarms = alarmFields(item.alarms, { color: item.color, isReminder: !isEvent, implied: item.implied_alarm });
  const url = h("input", { type: "url", value: item.url ?? "", maxlength: 4000 });
  const notes = h("textarea", { maxlength: 100000 }, item.notes ?? "");
  const tags = h("input", { type: "text", value: item.tags?.join(", ") ?? "", placeholder: t("shopping, garden") });
  const priority = choice(String(item.priority > 0 ? item.priority < 5 ? 1 : item.priority > 5 ? 9 : 5 : 0), [["0", t("None")], ["1", t("High")], ["5", t("Medium")], ["9", t("Low")]]);
  const first = priority.value;
  const availability = choice(item.availability ?? "busy", [["busy", t("Busy")], ["free", t("Free")], ["tentative", t("Tentative")], ["unavailable", t("Away")]]);
  const parents = isEvent ? [] : (await api.get("/items", { list: item.list_id, kind: "reminder", limit: 300 }).catch(() => ({ items: [] }))).items.filter((one) => one.uid && one.uid !== item.uid && one.parent !== item.uid);
  if (item.parent && !parents.some((one) => one.uid === item.parent)) parents.push({ uid: item.parent, title: t("another item") });
  const parent = choice(item.parent ?? "", [["", t("None")], ...parents.map((one) => [one.uid, one.title])]);
  const address = () => { try { return /^https?:$/.test(new URL(url.value).protocol) ? url.value : null; } catch { return null; } };
  const open = address() && h("a", { href: address(), target: "_blank", rel: "noopener noreferrer" }, t("Open link"));
  const element = h("fieldset", { class: "plain-set", disabled: !item.writable },
    h("div", { class: "panel" }, title, field(t("List"), list)),
    h("div", { class: "panel" }, h("h2", {}, t("When")), when.element, repeat.element),
    h("div", { class: "panel" }, h("h2", {}, t("Alarms")), alarms.element),
    place && h("div", { class: "panel" }, h("h2", {}, t("Where")), place.element),
    h("div", { class: "panel" }, h("h2", {}, t("More")), field(t("Notes"), notes), field(t("Link"), url), open, field(t("Tags"), tags),
      isEvent ? field(t("Show as"), availability) : h("div", { class: "grid" }, field(t("Priority"), priority), field(t("Part of"), parent))));
  const read = () => {
    if (!title.value.trim()) throw Object.assign(new Error(t("A title is missing.")), { element: title });
    if (!url.checkValidity()) throw Object.assign(new Error(t("The link is not an address.")), { element: url });
    const made = {
      title: title.value.trim(), list_id: list.value, ...when.read(), repeat: repeat.read(), alarms: alarms.read(), url: url.value.trim() || null, notes: notes.value.trim() ? notes.value : null,
      tags: tags.value.split(/[,\s]+/).map((tag) => tag.replace(/^#/, "")).filter(Boolean),
    };
    if (isEvent) return Object.assign(made, { availability: availability.value, place: place.read(), location: place.read() ? place.read().title || null : place.text() || null });
    // Other numbers of the same class are kept.
    return Object.assign(made, { priority: priority.value === first ? item.priority ?? 0 : Number(priority.value), parent: parent.value || null });
  };
  return { element, read, title, list, isNew };
};

const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
/** What of an item changed; times go together with their zone. */
const difference = (before, after) => {
  const body = {};
  for (const [key, value] of Object.entries(after)) if (!same(value, before[key])) body[key] = value;
  if ("time_zone" in body || "all_day" in body || "start" in body || "end" in body) for (const key of ["start", "end", "due", "all_day", "time_zone"]) if (key in after && after[key] !== undefined) body[key] = after[key];
  return body;
};

export const show = async (page) => {
  const isNew = !page.id, occurrence = page.query.get("occurrence");
  const master = isNew ? prefilled(page.query) : await api.get(`/items/${encodeURIComponent(page.id)}`);
  if (isNew && !master.list_id) throw new Error(t("There is no list that can be written. Make one first."));
  const item = occurrenceOf(master, occurrence), isSeries = !isNew && item.type === "event" && item.repeat?.length > 0;
  const path = `/items/${encodeURIComponent(item.id ?? "")}`;
  const problem = h("p", { class: "problem", role: "alert" });
  const form = await fields(item, isNew);
  const readQuietly = () => { try { return form.read(); } catch { return null; } };
  const before = readQuietly() ?? {};
  let etag = master.etag, isSaved = false;
  const body = () => difference(isNew ? {} : before, form.read());
  const isChanged = () => !isSaved && item.writable && !same(readQuietly(), before);
  const leave = () => { isSaved = true; history.length > 1 ? history.back() : go("/now"); };
  const fail = (error) => {
    problem.textContent = error.message;
    (error.element ?? problem).scrollIntoView({ block: "center" });
    error.element?.focus();
  };

  const create_ = async (wanted) => {
    for (const [key, value] of Object.entries(wanted)) if (value === null && key !== "time_zone" || Array.isArray(value) && !value.length) delete wanted[key];
    const made = await change(t("Added: {text}", { text: wanted.title }), () => create({ type: item.type, ...wanted }));
    if (made) leave();
  };
  const save = async () => {
    problem.textContent = "";
    let wanted;
    try { wanted = body(); } catch (error) { return fail(error); }
    if (isNew) return create_(wanted);
    if (!Object.keys(wanted).length) return leave();
    let span = isSeries ? await askSpan(t("Save the change to {title}", item)) : "all";
    if (!span) return;
    try {
      const result = await send(wanted, span);
      if (result) leave();
    } catch (error) { fail(error); }
  };
  const send = (wanted, span) => {
    const values = isSeries ? { span, occurrence: occurrence ?? undefined } : {};
    return new Promise((resolve, reject) => {
      const attempt = async () => {
        try { resolve(await changeQuietly(t("Saved: {title}", { title: wanted.title ?? item.title }), () => api.patch(path + query(values), wanted, etag))); } catch (error) {
          if (error.status !== 412 || !error.current) return reject(error);
          const answer = await conflict(before, wanted, error.current);
          if (answer === "mine") { etag = error.current.etag; return attempt(); }
          if (answer === "theirs") { isSaved = true; go(location.pathname + location.search, { replaces: true }); }
          resolve(null);
        }
      };
      attempt();
    });
  };
  const changeQuietly = async (text, run) => {
    const result = await run();
    isSaved = true;
    await change(text, () => Promise.resolve(result));
    return result;
  };
  const remove = async () => {
    const span = isSeries ? await askSpan(t("Delete {title}?", item)) : await ask(t("Delete {title}?", item), item.subtasks ? t("Its subtasks stay.") : "", [["all", t("Delete"), "danger"]]);
    if (!span) return;
    const values = isSeries ? { span, occurrence: occurrence ?? undefined } : {};
    isSaved = true;
    if (await change(t("Deleted: {title}", item), () => api.remove(path + query(values)))) leave(); else isSaved = false;
  };

  const others = isNew ? null : h("div", { class: "stack" }, item.type === "reminder" ? await subtasks(item) : null, people(item), attachments(item));
  const heading = isNew ? t(item.type === "event" ? "New event" : "New reminder") : t(item.type === "event" ? "Event" : "Reminder");
  const kind = isNew && h("div", { class: "switch", role: "group", "aria-label": t("Kind") }, ["reminder", "event"].map((type) => h("a", { href: `/new${query({ ...Object.fromEntries(page.query), type, ...(type === "reminder" ? { start: "", end: "", due: page.query.get("start") } : { start: page.query.get("due") ?? page.query.get("start") ?? "" }) })}`, "aria-current": item.type === type ? "true" : null }, t(type === "event" ? "Event" : "Reminder"))));
  page.main.classList.add("editor");
  page.main.append(h("form", { class: "stack", novalidate: true, style: tint(item.color), onsubmit: (event) => { event.preventDefault(); save().catch(failed); } },
    h("header", { class: "bar-top" }, h("h1", {}, heading), kind || "", h("div", { class: "tools" },
      !isNew && item.type === "reminder" && item.writable && button(item.completed ? t("Open again") : t("Done"), async () => { if (await tick(item)) leave(); }, {}, icon("check")),
      !isNew && item.writable && button(t("Delete"), () => remove().catch(failed), { class: "danger" }),
      button(t(item.writable ? "Cancel" : "Back"), () => leave()), item.writable && h("button", { class: "primary" }, t("Save")))),
    isSeries && h("p", { class: "quiet" }, icon("repeat"), " ", repeatText(item), occurrence ? "" : ` · ${t("These are the times of the first one.")}`),
    !item.writable && h("p", { class: "quiet" }, t("This list can’t be changed here.")), problem, form.element), others ?? "");
  if (isNew) setTimeout(() => form.title.focus({ preventScroll: true }), 0);
  const mayLeave = async () => !isChanged() || (await ask(t("Leave without saving?"), "", [["yes", t("Leave"), "danger"]])) === "yes";
  // A change elsewhere is shown at once, unless something was typed here.
  const refresh = async () => {
    if (isNew || isSaved || isChanged() || document.querySelector("dialog[open]")) return;
    const now = await api.get(`/items/${encodeURIComponent(page.id)}`);
    if (now.etag !== etag || now.subtasks !== master.subtasks) await go(location.pathname + location.search, { replaces: true });
  };
  return { title: item.title || heading, refresh, mayLeave, isChanged };
};
