// Where alarms go: channels with their last success, to add, to test and to remove.

import { api } from "./api.js";
import { form, isSure } from "./dialogs.js";
import { button, chip, choice, empty, entry, field, h, head, icon, iconButton, quiet, refill } from "./dom.js";
import { n, t } from "./i18n.js";
import { ago } from "./time.js";
import { failed, toast } from "./toast.js";

const escaped = (text) => text.trim().replaceAll("%", "%25").replaceAll("&", "%26");
const host = (text) => text.trim().replace(/^https?:\/\//, "").replace(/\/+$/, "");
/** Kinds of channels that can be added here: what they need, as [key, label, properties], and their address. */
const KINDS = {
  ntfy: {
    label: "ntfy: an app for phones", hint: "Choose a topic that nobody can guess, and subscribe to it in the app.",
    fields: [["host", "Server", { value: "ntfy.sh", required: true }],
      ["topic", "Topic", { required: true, pattern: "[\\w\\-]{1,64}" }],
      ["token", "Token, if the server wants one", { type: "password" }]],
    address: ({ host: server, topic, token }) =>
      `ntfy://${host(server)}/${topic.trim()}${token ? `?token=${escaped(token)}` : ""}`,
  },
  telegram: {
    label: "Telegram", hint: "Make a bot with @BotFather, and write to it once.",
    fields: [["chat", "Number of the chat", { required: true, pattern: "-?\\d+|@\\w+" }],
      ["token", "Token of the bot", { type: "password", required: true }]],
    address: ({ chat, token }) => `telegram:${chat.trim()}?token=${escaped(token)}`,
  },
  gotify: {
    label: "Gotify",
    fields: [["host", "Server", { required: true }],
      ["token", "Token of the app", { type: "password", required: true }]],
    address: ({ host: server, token }) => `gotify://${host(server)}?token=${escaped(token)}`,
  },
  desktop: { label: "Desktop of the machine", fields: [], address: () => "desktop" },
  mailto: {
    label: "Mail", hint: "The machine needs a mail program (sendmail).",
    fields: [["mail", "Mail address", { type: "email", required: true }]],
    address: ({ mail }) => `mailto:${mail.trim()}`,
  },
  webpush: { label: "Browsers that asked for alarms", fields: [], address: () => "webpush" },
  other: {
    label: "Another address", hint: "See “Channels” in the manual: https, mqtts, matrix and others.",
    fields: [["address", "Address", { required: true }]],
    address: ({ address }) => address.trim(),
  },
};

/** Asks for a channel and adds it. Gives whether one was added. */
export const addChannel = async () => {
  const inputs = {}, place = h("div", { class: "stack" });
  const fill = () => {
    const { fields, hint } = KINDS[kind.value];
    for (const key of Object.keys(inputs)) delete inputs[key];
    place.replaceChildren(
      ...fields.map(([key, label, props]) =>
        field(t(label), inputs[key] = h("input", { type: "text", maxlength: 2000, autocomplete: "off", ...props }))),
      hint ? quiet(t(hint)) : "",
    );
  };
  const kind = choice("ntfy", Object.entries(KINDS).map(([key, { label }]) => [key, t(label)]), { onchange: fill });
  fill();
  const values = () => Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, input.value]));
  return form(t("Add a channel"), [field(t("Where to send alarms"), kind), place], t("Add"), async () => {
    await api.post("/channels", { address: KINDS[kind.value].address(values()) });
    return true;
  });
};

export const show = async (page) => {
  const rows = h("ul", { class: "rows" });
  const run = (work) => () => work().catch(failed);
  const add = async () => {
    if (!(await addChannel())) return;
    toast(t("Added. Send a test alarm now."));
    await refresh();
  };
  const test = async (one) => {
    await api.post("/channels/test", { name: one.name });
    toast(t("A test alarm was delivered: {name}", one));
  };
  const remove = async (one) => {
    const name = one.setting;
    if (!(await isSure(t("Remove {name}?", { name }), t("No alarms go there any more."), t("Remove")))) return;
    await api.post("/channels/remove", { setting: name });
    toast(t("Removed: {name}", { name }));
    await refresh();
  };
  const row = (one) => {
    const isBad = one.failure && (!one.delivered || one.failed === null || one.failed > one.delivered);
    // A channel that the settings have with two filters has two rows.
    const name = one.setting ?? one.name;
    return entry(name, isBad ? ["warn", "leave"] : ["now", one.delivered ? "enter" : "time"], name, {
      details: [
        one.delivered ? t("last delivered {ago}", { ago: ago(one.delivered) }) : t("nothing delivered yet"),
        one.lists.map((list) => chip(list, null, "list")),
        one.pending > 0 && n(one.pending, "{n} alarm waits", "{n} alarms wait"),
        isBad && chip(one.failure, null, "warn"),
      ],
    }, button(t("Test"), run(() => test(one)), { "aria-label": t("Test {name}", one) }),
    one.setting && iconButton("trash", t("Remove {name}", { name }), run(() => remove(one))));
  };
  const refresh = async () => {
    const { channels } = await api.get("/channels");
    refill(rows, channels.length ? channels.map(row)
      : empty(t("Alarms show in these pages only. Add a channel, or turn on alarms of this browser in Settings.")));
  };
  page.main.append(
    head(
      t("Channels"),
      h("a", { class: "button", href: "/settings" }, icon("phone"), t("Alarms on this device")),
      button(t("Channel"), run(add), { class: "primary" }, icon("plus")),
    ),
    rows,
    quiet(t("Channels of the settings file can be removed here; others are options of the service, or browsers.")),
  );
  await refresh();
  return { title: t("Channels"), refresh };
};
