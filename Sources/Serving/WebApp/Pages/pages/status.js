// Whether alarms will ring and be heard: what "fencepost doctor" finds, with what to do.

import { api } from "./api.js";
import { button, entry, h, head, icon, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { said } from "./said.js";
import { failed } from "./toast.js";

const LEVELS = {
  wrong: ["warn", "leave", "This needs you"],
  warning: ["warn", "doubt", "Have a look"],
  ok: ["check", "enter", "All well"],
};
const SUBJECTS = {
  daemon: "Service", feed: "Positions", device: "Devices", channel: "Channels", list: "Lists", alarm: "Alarms",
  clock: "Clock", store: "Store", files: "Files", disk: "Disk", backup: "Backup", service: "Start at log-in",
};
/** Where a subject can be mended in these pages. */
const WAYS = { channel: "/channels", device: "/phone", feed: "/phone", list: "/channels" };
const WORST = {
  ok: "Alarms ring, and somebody hears them.",
  warning: "Alarms ring. Something may be missed.",
  wrong: "Something keeps alarms from ringing, or data is at risk.",
};

/** Text with the commands in it as code: "run 'fencepost resume'", "fencepost resume". */
const withCommands = (text) =>
  text.split(/('fencepost [^']*'|\bfencepost(?: (?:[a-z-]+|[A-Z]+|\d+))+)/).map((part, i) =>
    i % 2 ? h("code", {}, part.replace(/^'|'$/g, "").trim()) : part);

const row = (finding) => {
  const [name, kind] = LEVELS[finding.level], way = finding.level !== "ok" && WAYS[finding.subject];
  return entry(`${finding.subject} ${finding.name ?? ""} ${finding.text}`, [name, kind],
    [t(SUBJECTS[finding.subject] ?? finding.subject), finding.name].filter(Boolean).join(" · "), {
      details: [said(finding.text)],
      more: [
        finding.advice &&
          h("span", { class: "advice" }, icon("right"), h("span", {}, withCommands(said(finding.advice)))),
        way && h("span", { class: "actions" }, h("a", { class: "button", href: way }, t("Show"))),
      ],
    });
};

export const show = async (page) => {
  const all = h("div", { class: "stack" }), worst = h("p", { role: "status" });
  const refresh = async () => {
    const found = await api.get("/doctor");
    worst.textContent = t(WORST[found.worst]);
    const part = (level) => {
      const some = found.findings.filter((one) => one.level === level);
      if (!some.length) return [];
      const rows = h("ul", { class: "rows" }, some.map(row));
      const [, , title] = LEVELS[level];
      return level === "ok" && found.worst !== "ok"
        ? h("details", { "data-key": level }, h("summary", {}, t("All well"), ` (${some.length})`), rows)
        : h("section", { class: "stack" }, h("h2", {}, t(title)), rows);
    };
    const isOpen = all.querySelector("details")?.open;
    refill(all, ["wrong", "warning", "ok"].flatMap(part));
    const details = all.querySelector("details");
    if (details) details.open = Boolean(isOpen);
  };
  page.main.append(
    head(t("Status"), button(t("Look again"), () => refresh().catch(failed))),
    worst,
    all,
    quiet(t("On the machine, “fencepost doctor” says the same.")),
  );
  await refresh();
  return { title: t("Status"), refresh };
};
