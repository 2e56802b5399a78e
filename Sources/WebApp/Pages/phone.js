// A phone in a few steps: an app, a password of its own, what to type.

import { addClient, secret } from "./clients.js";
import { button, choice, field, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { failed } from "./toast.js";

/** Apps: what to type, and a link that fills it in on the phone, where the app has one. */
const APPS = {
  owntracks: {
    name: "OwnTracks",
    text: "Good for most people: free, Android and iPhone. Mode HTTP.",
    rows: (
      { positions, user, password, name },
    ) => [["Mode", "HTTP"], ["URL", positions], ["User name", user], ["Password", password], ["Device ID", name]],
    link: ({ positions, user, password, name }) =>
      `owntracks:///config?inline=${
        btoa(
          unescape(
            encodeURIComponent(
              JSON.stringify({
                _type: "configuration",
                mode: 3,
                url: positions,
                auth: true,
                username: user,
                password,
                deviceId: name,
              }),
            ),
          ),
        )
      }`,
  },
  overland: {
    name: "Overland",
    text: "For iPhone and Android, sends positions in batches.",
    rows: (
      { positions, password, name },
    ) => [["Receiver Endpoint", positions], ["Access Token", password], ["Device ID", name]],
    link: ({ positions, password, name }) =>
      `overland://setup?url=${encodeURIComponent(positions)}&token=${encodeURIComponent(password)}&device_id=${
        encodeURIComponent(name)
      }`,
  },
  traccar: {
    name: "Traccar Client",
    text: "A simple app with few settings.",
    rows: (
      { positions, password, name },
    ) => [
      ["Device identifier", name],
      ["Server URL", `${positions}?token=${password}`],
      ["Location accuracy", "High"],
      ["Distance", "50 m"],
    ],
  },
};

export const show = async (page) => {
  const app = choice(page.query.get("app") ?? "owntracks", Object.entries(APPS).map(([key, { name }]) => [key, name]));
  const about = h("p", { class: "quiet" }), steps = h("div", { class: "stack" });
  let client = null;
  const fill = () => {
    const chosen = APPS[app.value];
    about.textContent = t(chosen.text);
    if (!client) {
      return steps.replaceChildren(
        h("h2", {}, t("2. Make a password for the phone")),
        button(t("Make a password"), () => make().catch(failed), { class: "primary" }, icon("plus")),
      );
    }
    const link = chosen.link?.(client);
    steps.replaceChildren(
      h("h2", {}, t("3. Type this into the app")),
      h("p", { class: "quiet" }, t("The password is shown this once.")),
      ...chosen.rows(client).map(([label, value]) => secret(label, value)),
      ...(link ? [h("p", {}, h("a", { class: "button", href: link }, icon("phone"), t("Open on this phone")))] : []),
      h(
        "p",
        { class: "quiet" },
        t("The phone must reach this address. When it has sent a position, it is on the page Now."),
      ),
      h("a", { class: "button", href: "/now" }, t("Now")),
    );
  };
  const make = async () => {
    client = (await addClient(t("Phone"), ["positions"])) ?? client;
    fill();
  };
  app.addEventListener("change", fill);
  page.main.classList.add("editor");
  page.main.append(
    h("h1", {}, t("Set up a phone")),
    h("section", { class: "panel" }, h("h2", {}, t("1. Install an app")), field(t("App"), app), about),
    h("section", { class: "panel" }, steps),
  );
  fill();
  return { title: t("Set up a phone") };
};
