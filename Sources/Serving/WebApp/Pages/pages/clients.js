// Programs and devices with their own passwords, and browsers that are signed in.

import { api, pathOf } from "./api.js";
import { appRows, noApps } from "./apps.js";
import { form, isSure, notice } from "./dialogs.js";
import { button, check, chip, empty, entry, field, h, head, icon, iconButton, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { state, tint } from "./state.js";
import { ago } from "./time.js";
import { failed, toast } from "./toast.js";

const RIGHTS = [["positions", "send positions"], ["read", "read"], ["write", "change"]];
const rightsText = (rights) => RIGHTS.filter(([key]) => rights?.includes(key)).map(([, text]) => t(text)).join(", ");
const copy = (text) =>
  button(t("Copy"), async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("Copied"));
    } catch (error) {
      failed(error);
    }
  });
/** "Firefox on Linux" of what a browser says of itself. */
const browserName = (text) => {
  const program = /(Firefox|Edg|OPR|Chrome|Safari)/.exec(text ?? "")?.[1];
  const system = /(Android|iPhone|iPad|Windows|Mac OS|Linux)/.exec(text ?? "")?.[1];
  return program && [{ Edg: "Edge", OPR: "Opera" }[program] ?? program, system].filter(Boolean).join(", ");
};

/** A value to type elsewhere, with a button to copy it. */
export const secret = (label, text) =>
  h(
    "div",
    { class: "field" },
    h("span", {}, label),
    h("div", { class: "secret" }, h("code", { tabindex: 0 }, text), copy(text)),
  );

/** Makes a client and gives it with its password, which is shown once. */
const addClient = async (suggested = "", rights = ["positions"]) => {
  const name = h("input", { type: "text", required: true, maxlength: 100, value: suggested, autofocus: true });
  const boxes = RIGHTS.map(([key, text]) => check(t(text), rights.includes(key), { value: key }));
  const all = check(t("All lists"), true, { onchange: () => (some.hidden = all.box.checked) });
  const lists = state.lists.map((one) => check(one.title, false, { value: one.id, style: tint(one.color) }));
  const some = h("fieldset", { class: "days", hidden: true }, h("legend", {}, t("Only these lists")), lists);
  const made = await form(
    t("New client"),
    [field(t("Name, such as “Pixel”"), name), h("fieldset", { class: "days" }, h("legend", {}, t("May")), boxes),
      all, some,
      quiet(t("To share a list, make a client for the other person, and give them its address (CalDAV)."))],
    t("Make a password"),
    () =>
      api.post("/clients", {
        name: name.value.trim(),
        rights: boxes.filter((one) => one.box.checked).map((one) => one.box.value),
        ...(all.box.checked ? {} : { lists: lists.filter((one) => one.box.checked).map((one) => one.box.value) }),
      }),
  );
  return made && typeof made === "object" ? { positions: `${location.origin}/positions`, ...made } : null;
};

export const show = async (page) => {
  const [clients, sessions, apps] = [1, 2, 3].map(() => h("ul", { class: "rows" }));
  const revoke = async (client) => {
    const text = t("It can’t sign in any more. This can’t be undone.");
    if (!(await isSure(t("Revoke {name}?", client), text, t("Revoke")))) return;
    await api.remove(pathOf("clients", client.user));
    toast(t("Revoked: {name}", client));
    await refresh();
  };
  const add = async () => {
    const made = await addClient();
    if (!made) return;
    await refresh();
    await notice(
      made.name,
      h("p", {}, t("The password is shown this once.")),
      secret(t("User"), made.user),
      secret(t("Password"), made.password),
      made.positions && secret(t("Address for positions"), made.positions),
      made.api && secret("API", made.api),
      made.rights?.includes("read") &&
        secret(t("Calendars (CalDAV)"), `${location.origin}/dav${pathOf("calendars", made.user)}/`),
    );
  };
  const out = async () => {
    if (!(await isSure(t("Sign out all browsers?"), t("This one as well."), t("Sign out all")))) return;
    await api.remove("/sessions");
    location.assign("/");
  };
  const refresh = async () => {
    const [known, open] = await Promise.all([api.get("/clients"), api.get("/sessions")]);
    refill(
      clients,
      known.clients.length
        ? known.clients.map((client) =>
          entry(
            client.user,
            ["clients"],
            client.name,
            {
              details: [
                h("code", {}, client.user),
                rightsText(client.rights),
                client.lists?.map((one) => chip(one.title ?? "", null, "list")),
                client.used ? t("used {ago}", { ago: ago(client.used) }) : t("never used"),
              ],
            },
            iconButton("trash", t("Revoke {name}", client), () => revoke(client).catch(failed)),
          )
        )
        : empty(t("No client has a password.")),
    );
    const rows = await appRows(refresh);
    refill(apps, rows.length ? rows : noApps());
    refill(
      sessions,
      open.sessions.map((one) =>
        entry("", ["device"], browserName(one.browser) ?? t("Browser"), {
          details: [one.current && chip(t("this one")), one.used && t("used {ago}", { ago: ago(one.used) })],
        })
      ),
    );
  };
  page.main.append(
    head(
      t("Clients and sessions"),
      h("a", { class: "button", href: "/phone" }, icon("phone"), t("Set up a phone")),
      button(t("Client"), () => add().catch(failed), { class: "primary" }, icon("plus")),
    ),
    quiet(t("A client is a program or a device with a password of its own.")),
    clients,
    h("h2", { id: "apps" }, t("Apps and agents on this machine")),
    apps,
    h("h2", {}, t("Browsers that are signed in")),
    sessions,
    button(t("Sign out all"), () => out().catch(failed), { class: "danger" }),
  );
  await refresh();
  return { title: t("Clients and sessions"), refresh };
};
