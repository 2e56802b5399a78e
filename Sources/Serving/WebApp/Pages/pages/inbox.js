// Bookings and invitations that were found in mails and pages or told by apps: into a calendar, or not.

import { api, pathOf } from "./api.js";
import { button, check, chip, choice, empty, entry, field, h, head, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { writable } from "./state.js";
import { spanText, whenText } from "./time.js";
import { change, failed } from "./toast.js";

const STATES = { accepted: "In a calendar",
  rejected: "Declined",
  superseded: "Replaced by a later one",
  cancelled: "Cancelled" };

const fields = () => ({
  status: t("Status"), start: t("Starts"), end: t("Ends"), number: t("Number"), name: t("Name"),
  place: t("Where"), address: t("Address"), to: t("To"), travellers: t("For"), seats: t("Seats"),
  tickets: t("Tickets"), party_size: t("People"), boarding: t("Boarding"), check_in: t("Check-in opens"),
  gate: t("Gate"), platform: t("Platform"), room: t("Room"), reference: t("Reference"),
});
const changeText = ({ field, label, old, new: now }) =>
  `${fields()[field] ?? label}: ${old ?? "–"} → ${now ?? "–"}`;

export const show = async (page) => {
  const rows = h("ul", { class: "rows" }), all = check(t("Show answered and past ones too"), false);
  const lists = writable("event");
  const list = choice(lists[0]?.id, lists.map((one) => [one.id, one.title]));
  const comments = new Map();
  const answer = (one, word, text) =>
    change(t(text, one),
      () => api.post(pathOf("suggestions", one.id, word), {
        ...(["accept", "tentative"].includes(word) && { list_id: list.value }),
        // What the person reads here, and nothing that came since.
        ...(["accept", "tentative", "decline"].includes(word) && { revision: one.revision }),
        ...(comments.get(one.id) && { comment: comments.get(one.id) }),
      }));
  const tickets = async (one) => {
    const found = (await api.get(pathOf("suggestions", one.id, "tickets"))).tickets;
    const dialog = h("dialog", { class: "tickets", "aria-label": t("Tickets") },
      found.map((ticket) => h("figure", {},
        ticket.svg
          ? h("img", {
            alt: t("Barcode: {form}", ticket),
            src: `data:image/svg+xml,${encodeURIComponent(ticket.svg)}`,
          })
          : t("Install zint on the server to see the barcode ({form}).", ticket),
        ticket.name && h("figcaption", {}, ticket.name))),
      button(t("Close"), () => dialog.close()));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  const ticketButton = (one) =>
    one.barcodes ? [button(t("Ticket"), () => tickets(one).catch(failed))] : [];
  const buttons = (one) => [...ticketButton(one), ...answers(one)];
  const answers = (one) =>
    one.state === "proposed" && one.answerable
      ? [
        button(t("Accept"), () => answer(one, "accept", "Accepted: {title}").catch(failed),
          { class: "primary", "aria-label": t("Accept {title}", one) }),
        button(t("Maybe"), () => answer(one, "tentative", "Accepted tentatively: {title}").catch(failed),
          { "aria-label": t("Accept {title} tentatively", one) }),
        button(t("Decline"), () => answer(one, "decline", "Declined: {title}").catch(failed),
          { "aria-label": t("Decline {title}", one) }),
      ]
      : one.state === "proposed"
      ? [
        button(t("Accept"), () => answer(one, "accept", "Accepted: {title}").catch(failed),
          { class: "primary", "aria-label": t("Accept {title}", one) }),
        button(t("Decline"), () => answer(one, "reject", "Declined: {title}").catch(failed),
          { "aria-label": t("Decline {title}", one) }),
      ]
      : one.state === "superseded" ? [] : [
        button(t("Ask again"), () => answer(one, "reopen", "Waits again: {title}").catch(failed), {
          "aria-label": t("Ask again about {title}", one),
        }),
      ];
  const nameOf = (person) => person.name || person.address?.replace(/^mailto:/, "");
  const statusOf = ({ status }) => t(status === "pending" ? "no answer yet" : status);
  const people = (one) => one.attendees?.map((person) =>
    person.status && person.status !== "unknown"
      ? `${nameOf(person)} (${statusOf(person)})` : nameOf(person)).join(", ");
  const comment = (one) => one.state === "proposed" && one.answerable &&
    h("input", { type: "text", maxLength: 1000, placeholder: t("Comment to the organizer"),
      "aria-label": t("Comment to the organizer of {title}", one), value: comments.get(one.id) ?? "",
      oninput: (event) => comments.set(one.id, event.target.value) });
  const row = (one) =>
    entry(one.id, ["note"], one.title, {
      href: one.item && one.state === "accepted" && pathOf("item", one.item),
      details: [
        one.start && (one.end && one.method ? spanText(one.start, one.end) : whenText(one.start)),
        one.provider,
        one.reference,
        one.place?.title && chip(one.place.title, "now"),
        one.replaces && chip(t("Update")),
        ...(one.changes ?? []).map((change) => h("span", { class: "changed" }, changeText(change))),
        STATES[one.state] && chip(t(STATES[one.state])),
        one.sender && h("span", { class: "quiet" },
          t(one.signed ? "from {sender}, signed" : "from {sender}, not signed", one)),
        one.app && h("span", { class: "quiet" }, t("from the app {app}", one)),
        one.from_organizer === false && chip(t("not from the organizer"), "warn", "warn"),
        one.time_zone,
        one.repeat?.length > 0 && chip(t("repeats")),
        one.attendees && h("span", { class: "quiet" }, people(one)),
        one.comment,
      ],
      more: comment(one),
    }, buttons(one));
  const refresh = async () => {
    const { suggestions } = await api.get("/suggestions", { all: all.box.checked ? 1 : "" });
    refill(rows, suggestions.length ? suggestions.map(row)
      : empty(t("No suggestion waits for an answer.")));
  };
  all.box.addEventListener("change", () => refresh().catch(failed));
  page.main.append(
    head(t("Suggestions")),
    quiet(t("Bookings from mails, pages and apps. Nothing goes into a calendar unless you accept it.")),
    h("div", { class: "filters" }, field(t("Accept into"), list), all),
    rows,
  );
  await refresh();
  const wanted = page.query.get("ticket");
  if (wanted) {
    // From the notification on arrival: the event's booking.
    const { suggestions } = await api.get("/suggestions", { all: 1 });
    const one = suggestions.find(({ item, barcodes }) => item === wanted && barcodes);
    if (one) tickets(one).catch(failed);
  }
  return { title: t("Suggestions"), refresh };
};
