/* Saves owner, due date, status and estimates of a step as they are chosen; without this script the Save button does.
   A move or a drop changes totals and order, so the page is read again afterwards. */
import { announce } from "../lib/announce.js";
import { Unreachable, patch } from "../lib/http.js";

const words = (name) => document.getElementById("step-words")?.dataset[name] ?? name;

const NUMBERS = ["running_cost_month", "slo_minutes_month"];

/** The field as the API wants it. */
function value(field) {
  if (field.name === "owner") return field.value ? Number(field.value) : null;
  if (field.name === "wave") return Number(field.value);
  if (NUMBERS.includes(field.name)) {
    const text = field.value.trim();
    const number = Number(text);
    // What is no number goes as it is, so that the server refuses it and nothing is cleared by accident.
    return text === "" ? null : Number.isFinite(number) ? number : text;
  }
  return field.value || null;
}

function button(label, run) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button button--small";
  made.textContent = label;
  made.addEventListener("click", run);
  return made;
}

export default function step(body) {
  const state = body.querySelector("[data-step-state]");
  const versions = body.querySelectorAll("input[name=version]");
  let queue = Promise.resolve();
  body.dataset.live = "true";

  const say = (text, ...buttons) => {
    state.replaceChildren(document.createTextNode(text), ...buttons);
    announce(text);
  };

  const saw = (version) => {
    body.dataset.version = version;
    versions.forEach((input) => {
      input.value = version;
    });
  };

  const reload = () => {
    location.hash = body.id;
    location.reload();
  };

  const conflict = (field, theirs) => {
    const named = { owner: theirs.owner_name ?? "—", due: theirs.due ?? "—" };
    NUMBERS.forEach((name) => {
      named[name] = theirs[name] ?? "—";
    });
    const option = [...(field.options ?? [])].find((each) => each.value === String(theirs[field.name]));
    const other = named[field.name] ?? option?.textContent ?? theirs[field.name];
    const mine = field.selectedOptions?.[0]?.textContent ?? (field.value || "—");
    say(
      `${words("conflict")} ${words("theirs")}: ${other} · ${words("mine")}: ${mine} `,
      button(words("keep"), () => {
        saw(theirs.version);
        save(field);
      }),
      button(words("reload"), reload),
    );
  };

  async function send(field) {
    say(words("saving"));
    const json = { [field.name]: value(field) };
    try {
      const reply = await patch(body.dataset.url, json, { headers: { "If-Match": `"${body.dataset.version}"` } });
      if (reply.status === 409 && reply.data.error.extra?.theirs) {
        conflict(field, reply.data.error.extra.theirs);
      } else if (!reply.ok) {
        say(reply.data?.error?.message ?? words("unreachable"));
      } else {
        saw(reply.data.version);
        if (NUMBERS.includes(field.name)) say(`${words("saved")} `, button(words("redraw"), reload));
        else say(words("saved"));
        if (field.name === "wave" || field.name === "status") reload();
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      say(words("unreachable"), button("↻", () => save(field)));
    }
  }

  function save(field) {
    queue = queue.then(() => send(field));
  }

  body.addEventListener("change", (event) => {
    if (event.target.matches("select[name=owner], select[name=status], select[name=wave]")) save(event.target);
  });
  body.querySelectorAll(".step__number").forEach((field) => {
    field.addEventListener("change", () => save(field));
  });
  // A date fires `change` at every typed digit: it is saved when the field is left.
  const due = body.querySelector("input[name=due]");
  let last = due?.defaultValue;
  due?.addEventListener("focusout", () => {
    if (due.value === last || due.validity.badInput) return;
    last = due.value;
    save(due);
  });

  // What somebody chose before this script was there.
  body.querySelectorAll(".step__form select").forEach((field) => {
    const options = [...field.options];
    const initial = Math.max(0, options.findIndex((option) => option.defaultSelected));
    if (field.selectedIndex !== initial) save(field);
  });
  body.querySelectorAll(".step__number").forEach((field) => {
    if (field.value !== field.defaultValue && document.activeElement !== field) save(field);
  });
  if (due && due.value !== last && document.activeElement !== due) {
    last = due.value;
    save(due);
  }
}
