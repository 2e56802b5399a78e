// Bookings that were found in mails and pages or told by apps: into a calendar, or not.

import { api, pathOf } from "./api.js";
import { button, check, chip, choice, empty, entry, field, h, head, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { writable } from "./state.js";
import { whenText } from "./time.js";
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
  const rows = h("ul", { class: "rows" }), all = check(t("Also answered and past ones"), false);
  const lists = writable("event");
  const list = choice(lists[0]?.id, lists.map((one) => [one.id, one.title]));
  const answer = (one, word, text) =>
    change(t(text, one),
      () => api.post(pathOf("suggestions", one.id, word),
        word === "accept" ? { list_id: list.value } : {}));
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
    one.state === "proposed"
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
  const row = (one) =>
    entry(one.id, ["note"], one.title, {
      href: one.item && one.state === "accepted" && pathOf("item", one.item),
      details: [
        one.start && whenText(one.start),
        one.provider,
        one.reference,
        one.place?.title && chip(one.place.title, "now"),
        one.replaces && chip(t("Update")),
        ...(one.changes ?? []).map((change) => h("span", { class: "changed" }, changeText(change))),
        STATES[one.state] && chip(t(STATES[one.state])),
        one.sender && h("span", { class: "quiet" },
          t(one.signed ? "from {sender}, signed" : "from {sender}, not signed", one)),
        one.app && h("span", { class: "quiet" }, t("from the app {app}", one)),
      ],
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
  return { title: t("Suggestions"), refresh };
};
