// Apps and agents on this machine, and what they may do with the store.

import { api, pathOf } from "./api.js";
import { isSure } from "./dialogs.js";
import { chip, choice, empty, entry, h, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { ago } from "./time.js";
import { failed, toast } from "./toast.js";

const SUBJECTS = { events: "Events", reminders: "Reminders", location: "Location" };
const ACCESS = { waiting: "waits for your answer", full: "full access", "write-only": "may only add",
  denied: "no access", restricted: "no access" };
const STRENGTH = {
  confined: "The system confines it.",
  agent: "It is an agent; the answer holds for each that starts with this name.",
  program: "It is a program of the system; other programs of yours can use it.",
  file: "It is a program that you can replace; the answer holds for this file as it is.",
};

/** What one app may do with one kind of things, as a choice that is saved at once. */
const access = (one, refresh) => {
  // A choice of its own, so that each answer is a change, also to leave it as it is.
  const limits = one.lists ? t("full access to some lists") : one.read_only ? t("may only read") : null;
  const asks = one.access === "write-only" && one.wanted
    ? [["", t("may only add, asks for full access")]] : limits ? [["", limits]] : [];
  const known = one.answers.includes(one.access) ? asks : [[one.access, t(ACCESS[one.access])]];
  const answers = one.answers.map((key) => [key, t(ACCESS[key])]);
  const select = choice(asks.length ? "" : one.access, [...known, ...answers], {
    onchange: async () => {
      try {
        await api.put(pathOf("apps", one.app, one.entity), { access: select.value });
        toast(`${one.app}: ${t(ACCESS[select.value])} (${t(SUBJECTS[one.entity])})`);
      } catch (error) {
        failed(error);
      }
      await refresh();
    },
  });
  return h("label", { class: "app-access" }, h("span", {}, t(SUBJECTS[one.entity])), select);
};

/** The rows of all apps, those that wait first. */
export const appRows = async (refresh) => {
  const { apps } = await api.get("/apps");
  const byName = Map.groupBy(apps, ({ app }) => app);
  const waits = (all) => all.some((one) => one.access === "waiting" || one.wanted);
  const sorted = [...byName].sort(([, a], [, b]) => waits(b) - waits(a));
  const forget = async (name) => {
    const text = t("The app has no access then, and asks again when it needs it.");
    if (!(await isSure(t("Forget {name}?", { name }), text, t("Forget")))) return;
    await api.remove(pathOf("apps", name));
    await refresh();
  };
  return sorted.map(([name, all]) => {
    const [first] = all;
    return entry(name, waits(all) ? ["warn", "leave"] : ["device"], name, {
      details: [
        waits(all) && chip(t("waits for your answer"), null, "warn"),
        first.claim && t("It calls itself “{claim}”", first),
        first.reason && t("and says: “{reason}”", first),
        STRENGTH[first.strength] && t(STRENGTH[first.strength]),
        first.last_used && t("used {ago}", { ago: ago(first.last_used) }),
      ],
      more: h("span", { class: "actions" }, all.map((one) => access(one, refresh))),
    }, iconButton("trash", t("Forget {name}", { name }), () => forget(name).catch(failed)));
  });
};

export const noApps = () =>
  empty(t("No app on this machine has asked for access. Apps ask at the daemon’s socket, agents by “fencepost mcp”."));
