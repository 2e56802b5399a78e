// Sharing a list: who may use it, and links that invite somebody.

import { api, pathOf } from "./api.js";
import { dialog, isSure } from "./dialogs.js";
import { answers, button, choice, empty, entry, field, h, iconButton, quiet, refill } from "./dom.js";
import { secret } from "./clients.js";
import { n, t } from "./i18n.js";
import { ago } from "./time.js";
import { failed, toast } from "./toast.js";

const may = (rights) => t(rights.includes("write") ? "may change it" : "may read it");
const isLocal = () => /^(localhost|127\.|\[::1\])/.test(location.host);

/** Shows with whom a list is shared, and invites others. */
export const share = (list) => {
  const people = h("ul", { class: "rows" }), made = h("div", { class: "stack", role: "status" });
  const rights = choice("write", [["write", t("read and change")], ["read", t("read only")]]);
  const days = choice("7", [1, 7, 30].map((count) => [String(count), n(count, "{n} day", "{n} days")]));
  const refresh = async () => {
    const [{ clients }, { invitations }] = await Promise.all([api.get("/clients"), api.get("/invitations")]);
    const guests = clients.filter((one) => one.lists?.some(({ id }) => id === list.id));
    const open = invitations.filter((one) => one.list.id === list.id);
    const end = (title, text, path) => async () => {
      if (!(await isSure(title, text, t("Revoke")))) return;
      await api.remove(path);
      await refresh();
    };
    refill(
      people,
      guests.map((one) =>
        entry(one.user, ["clients"], one.name, {
          details: [may(one.rights), one.used ? t("used {ago}", { ago: ago(one.used) }) : t("never used")],
        }, iconButton("trash", t("Revoke {name}", one), () =>
          end(
            t("Revoke {name}?", one),
            t("All lists that are shared with {name} are gone for them. This can’t be undone.", one),
            pathOf("clients", one.user),
          )().catch(failed)))
      ),
      open.map((one) =>
        entry(one.id, ["time"], t("Invitation that nobody has accepted yet"), {
          details: [may(one.rights), t("ends {ago}", { ago: ago(one.expires) })],
        }, iconButton("trash", t("Revoke the invitation"), () =>
          end(t("Revoke the invitation?"), t("Its link stops working."), pathOf("invitations", one.id))()
            .catch(failed)))
      ),
      guests.length + open.length ? null : empty(t("Nobody else sees this list.")),
    );
  };
  const invite = async () => {
    const { link } = await api.post("/invitations", {
      list_id: list.id,
      rights: rights.value === "write" ? ["read", "write"] : ["read"],
      days: Number(days.value),
    });
    refill(
      made,
      secret(t("Link for one person"), link),
      navigator.share &&
        button(t("Send"), () => navigator.share({ title: list.title, url: link }).catch(() => {/* Not sent. */})),
      quiet(t("Send it to the other person. It works once, and is shown only now.")),
      isLocal() &&
        quiet(t("Only this machine reaches this address. Open these pages by the address for phones first.")),
    );
    await refresh();
    toast(t("The link is made."));
  };
  return dialog(t("Share {title}", list), (close) => {
    refresh().catch(failed);
    return [
      h(
        "div",
        { class: "stack" },
        people,
        h("h3", {}, t("Invite somebody")),
        h("div", { class: "pair" }, field(t("The person may"), rights), field(t("The link works for"), days)),
        made,
      ),
      answers(
        button(t("Make a link"), () => invite().catch(failed), { class: "primary" }),
        button(t("Close"), () => close()),
      ),
    ];
  });
};
