// What else an item has: subtasks, people, calls, attachments.

import { api, appPage, pathOf } from "./api.js";
import { ask } from "./dialogs.js";
import { button, h, icon, iconButton, panel, refill } from "./dom.js";
import { t } from "./i18n.js";
import { row } from "./rows.js";
import { said } from "./said.js";
import { isOwner } from "./state.js";
import { authorName } from "./steps.js";
import { ago, whenText } from "./time.js";
import { change, failed } from "./toast.js";

const STATUS = { pending: "no answer yet" };
export const people = (item) =>
  item.attendees?.length || item.organizer
    ? panel(
      t("People"),
      h(
        "ul",
        { class: "people" },
        item.organizer &&
          h("li", {}, h("b", {}, item.organizer.name || item.organizer.address), h("small", {}, t("organizer"))),
        item.attendees?.map((one) =>
          h(
            "li",
            {},
            h("span", {}, one.name || one.address?.replace(/^mailto:/, "")),
            h(
              "small",
              {},
              [t(STATUS[one.status] ?? one.status ?? ""), one.role && t(one.role)].filter(Boolean).join(", "),
            ),
          )
        ),
      ),
    )
    : null;
const at = (provider) => pathOf("conferences", provider.id);
/** The calls of an item: to join, to take away, and rooms that programs make. `read()` gives them. */
export const callField = (item, addDetails) => {
  let calls = item.conferences ?? [];
  const joins = h("div", { class: "tools" }), adding = h("div", { class: "tools" });
  const show = () =>
    joins.replaceChildren(
      ...calls.filter((one) => /^(https?|tel|sips?):/.test(one.url)).flatMap((one) => {
        const name = one.label ? `${t("Join")}: ${one.label}` : t("Join");
        return [
          h("a", { class: "button", href: one.url, rel: "noopener noreferrer", target: "_blank", title: one.url },
            name),
          item.writable && iconButton("close", t("Without {place}", { place: one.label ?? one.url }), () => {
            calls = calls.filter((other) => other !== one);
            show();
          }),
        ].filter(Boolean);
      }),
    );
  const add = async (provider) => {
    const { room_types: types } = await api.get(at(provider));
    const type = types.length > 1
      ? await ask(provider.name, t("Which kind of room?"), types.map(({ id, title }) => [id, title]))
      : types[0]?.id;
    if (!type) return;
    const { conferences, details } = await api.post(at(provider), { room_type: type });
    calls = [...calls, ...conferences];
    if (details) addDetails(details);
    show();
  };
  show();
  const offer = async () => {
    const { providers } = await api.get("/conferences");
    adding.append(...providers.map((one) => {
      const label = providers.length > 1 ? `${t("Add video call")}: ${one.name}` : t("Add video call");
      return button(label, () => add(one).catch(failed), { title: one.name }, icon("plus"));
    }));
  };
  if (item.writable && item.type === "event" && !appPage && isOwner()) {
    offer().catch(() => {/* Without programs for rooms. */});
  }
  return { element: h("div", { class: "stack" }, joins, adding), read: () => calls };
};

export const attachments = (item) =>
  item.attachments?.length
    ? panel(
      t("Attachments"),
      h(
        "ul",
        {},
        item.attachments.map((one) => {
          const address = one.url ?? one.uri ?? one;
          return h(
            "li",
            {},
            /^https?:/.test(address)
              ? h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, one.name ?? address)
              : String(one.name ?? address),
          );
        }),
      ),
    )
    : null;

/** Why a reminder at a place rang in the last days, or did not. Asked for when it is opened. */
export const why = (item) => {
  if (!item.alarms?.some((alarm) => alarm.proximity)) return null;
  const body = h("div", { class: "stack" });
  const load = async () => {
    const { answer, notes, recorded_from: since } = await api.get(`${pathOf("items", item.id)}/why`);
    body.replaceChildren(
      h("p", {}, h("strong", {}, said(answer))),
      h(
        "ol",
        { class: "rows" },
        notes.map((note) =>
          h(
            "li",
            {},
            h("time", { datetime: note.from, class: "quiet" }, whenText(note.from)),
            h("p", {}, said(note.text)),
            note.details.map((line) => h("p", { class: "quiet" }, said(line))),
          )
        ),
      ),
      h(
        "p",
        { class: "quiet" },
        since ? t("Recorded since {when}.", { when: whenText(since) }) : t("Nothing is recorded yet."),
      ),
    );
  };
  return h(
    "details",
    {
      class: "panel",
      ontoggle: ({ target }) => target.open && load().catch(failed),
    },
    h("summary", {}, t("Why didn’t this ring?")),
    body,
  );
};

/** Who changed an item last, if it was somebody else; filled once the page is there. */
export const changedBy = (item) => {
  const line = h("p", { class: "quiet", role: "status" });
  const load = async () => {
    const { changes } = await api.get(`${pathOf("items", item.id)}/changes`);
    const [last] = changes;
    if (!last || last.own || !last.by && isOwner()) return;
    const said = { name: authorName(last), ago: ago(last.time) };
    line.textContent = last.by ? t("Changed by {name}, {ago}", said) : t("Changed {ago}", said);
  };
  load().catch(() => {/* Without a network. */});
  return line;
};

/** Subtasks of a reminder, with a box for further ones. */
export const subtasks = (item) => {
  const list = h("ul", { class: "rows" });
  const load = async () => {
    const { items } = await api.get("/items", { list: item.list_id, completed: "all", kind: "reminder" });
    refill(list, items.filter((one) => one.parent === item.uid).map((one) => row(one, { hasList: false })));
  };
  if (item.subtasks) load().catch(failed);
  const add = h("input", {
    type: "text",
    placeholder: t("New subtask"),
    "aria-label": t("New subtask"),
    maxlength: 1000,
  });
  const form = h(
    "form",
    {
      class: "pair",
      onsubmit: async (event) => {
        event.preventDefault();
        const title = add.value.trim();
        if (!title) return;
        add.value = "";
        const isMade = await change(
          t("Added: {text}", { text: title }),
          () => api.post("/items", { type: "reminder", title, list_id: item.list_id, parent: item.uid }),
        );
        if (!isMade) add.value ||= title;
      },
    },
    add,
    h("button", {}, t("Add")),
  );
  return Object.assign(panel(t("Subtasks"), list, item.writable && form), { load });
};
