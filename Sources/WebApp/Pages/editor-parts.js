// What an item has that is shown beside its fields: subtasks, people, attachments.

import { api } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { row } from "./rows.js";
import { change } from "./toast.js";

const STATUS = { "needs-action": "no answer yet" };
export const people = (item) =>
  item.attendees?.length || item.organizer
    ? h(
      "section",
      { class: "panel" },
      h("h2", {}, t("People")),
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
/** Buttons that join the calls of an event. */
export const conferences = (item) =>
  item.conferences?.length
    ? h(
      "p",
      { class: "pair" },
      item.conferences.filter((one) => /^(https?|tel|sips?):/.test(one.url)).map((one) =>
        h(
          "a",
          { class: "button", href: one.url, rel: "noopener noreferrer", target: "_blank", title: one.url },
          one.label ? `${t("Join")}: ${one.label}` : t("Join"),
        )
      ),
    )
    : null;

export const attachments = (item) =>
  item.attachments?.length
    ? h(
      "section",
      { class: "panel" },
      h("h2", {}, t("Attachments")),
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

/** Subtasks of a reminder, with a box for further ones. */
export const subtasks = async (item) => {
  const { items } = item.subtasks
    ? await api.get("/items", { list: item.list_id, completed: "all", kind: "reminder" })
    : { items: [] };
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
        if (title) {
          await change(
            t("Added: {text}", { text: title }),
            () => api.post("/items", { type: "reminder", title, list_id: item.list_id, parent: item.uid }),
          );
        }
      },
    },
    add,
    h("button", {}, t("Add")),
  );
  const own = items.filter((one) => one.parent === item.uid);
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("Subtasks")),
    own.length ? h("ul", { class: "rows" }, own.map((one) => row(one, { hasList: false }))) : null,
    item.writable && form,
  );
};
