// Accounts on calendar servers: their state, and to add, synchronize and remove them.

import { api, pathOf } from "./api.js";
import { form, isSure } from "./dialogs.js";
import { button, chip, empty, entry, field, h, head, icon, iconButton, quiet, refill } from "./dom.js";
import { n, t } from "./i18n.js";
import { ago } from "./time.js";
import { failed, toast } from "./toast.js";

const countsText = ({ pulled, pushed, conflicts, failed: refused }) =>
  [
    pulled && n(pulled, "{n} received", "{n} received"),
    pushed && n(pushed, "{n} sent", "{n} sent"),
    conflicts && n(conflicts, "{n} conflict", "{n} conflicts"),
    refused && n(refused, "{n} refused", "{n} refused"),
  ].filter(Boolean).join(", ") || t("up to date");

export const show = async (page) => {
  const rows = h("ul", { class: "rows" });
  const busy = new Set();
  const path = (one, ...more) => pathOf("accounts", String(one.number), ...more);
  const during = async (one, work) => {
    busy.add(one.number);
    await refresh();
    try {
      return await work();
    } finally {
      busy.delete(one.number);
      await refresh();
    }
  };
  const sync = async (one, body = {}) => {
    const counts = await during(one, () => api.post(path(one, "sync"), body));
    toast(`${one.name}: ${countsText(counts)}`);
    const waiting = counts.waiting_removals + counts.waiting_deletions;
    if (!waiting || body.removes) return;
    const text = n(waiting, "{n} item is gone on one side. Remove it on the other one too?",
      "{n} items are gone on one side. Remove them on the other one too?");
    if (await isSure(t("Remove so many?"), text, t("Remove"))) await sync(one, { removes: true });
  };
  const add = async () => {
    const address = h("input", { type: "text", required: true, maxlength: 1000, autofocus: true,
      placeholder: "cloud.example.org", autocapitalize: "off", spellcheck: "false" });
    const user = h("input", { type: "text", maxlength: 300, autocomplete: "off", autocapitalize: "off" });
    const password = h("input", { type: "password", maxlength: 1000, autocomplete: "new-password" });
    const made = await form(
      t("Add an account"),
      [
        field(t("Server, its address, or a mail address"), address),
        field(t("User"), user, t("Empty for the mail address.")),
        field(t("Password"), password, t("Use an app password if the server has them.")),
        quiet(t("For a server with OAuth, such as Google’s, use “fencepost accounts add” on the machine.")),
      ],
      t("Add"),
      () => api.post("/accounts", {
        address: address.value.trim(), user: user.value.trim() || null, password: password.value || null,
      }),
    );
    if (!made) return;
    await refresh();
    toast(t("Added: {title}. Its calendars are being read …", { title: made.name }));
    await sync(made);
  };
  const signIn = async (one) => {
    const password = h("input", { type: "password", required: true, maxlength: 1000, autofocus: true,
      autocomplete: "new-password" });
    const done = await form(t("Sign in to {name}", one), field(t("Password"), password), t("Sign in"),
      () => api.post(path(one, "password"), { password: password.value }));
    if (done) await sync(one);
  };
  const remove = async (one) => {
    const text = n(one.lists, "Its {n} list is removed here. The server keeps it.",
      "Its {n} lists are removed here. The server keeps them.");
    if (!(await isSure(t("Remove {name}?", one), text, t("Remove")))) return;
    await during(one, () => api.remove(path(one)));
    toast(t("Removed: {name}", one));
  };
  const run = (work) => () => work().catch(failed);
  const row = (one) =>
    entry(String(one.number), one.failure ? ["warn", "leave"] : ["agenda", "enter"], one.name, {
      "aria-busy": busy.has(one.number) ? "true" : null,
      details: [
        [one.user, one.address].filter(Boolean).join(" · "),
        n(one.lists, "{n} list", "{n} lists"),
        busy.has(one.number)
          ? t("synchronizing …")
          : one.succeeded ? t("synchronized {ago}", { ago: ago(one.succeeded) }) : t("never synchronized"),
        one.failure && !busy.has(one.number) && t("again {when}", { when: ago(one.next) }),
        one.remarks.map((text) => chip(text, null, "warn")),
        one.refused.length > 0 && h("details", {}, h("summary", {}, t("Only here")),
          h("ul", {}, one.refused.map((item) => h("li", {}, `${item.title} (${item.list}): ${item.reason}`)))),
      ],
      more: h("span", { class: "actions" },
        button(t("Synchronize"), run(() => sync(one)), { disabled: busy.has(one.number) }),
        one.user && button(t("New password"), run(() => signIn(one)), { class: "quiet" })),
    }, iconButton("trash", t("Remove {name}", one), run(() => remove(one))));
  const refresh = async () => {
    const { accounts } = await api.get("/accounts");
    refill(rows, accounts.length ? accounts.map(row)
      : empty(t("There are no accounts yet. One brings the calendars of a server, such as Nextcloud or Fastmail.")));
  };
  page.main.append(
    head(
      t("Accounts"),
      h("a", { class: "button", href: "/conflicts" }, icon("warn"), t("Conflicts")),
      button(t("Account"), run(add), { class: "primary" }, icon("plus")),
    ),
    rows,
    quiet(t("Changes go both ways: at once from here, and every 15 minutes from the server, or when it pushes them.")),
  );
  await refresh();
  return { title: t("Accounts"), refresh };
};
