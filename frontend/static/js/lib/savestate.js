/* Says where saving stands: the line in its one fixed place, and a banner when a person must choose. */

export const words = (name, values = {}) => {
  const text = document.getElementById("answer-words")?.dataset[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_all, key) => values[key] ?? "");
};

export const clock = (moment = new Date()) =>
  `${String(moment.getHours()).padStart(2, "0")}:${String(moment.getMinutes()).padStart(2, "0")}`;

/** An answer in words: {level}, {clauses}, {na_reason}, {unsure} or {cleared}. */
export function answerWords(answer) {
  if (!answer) return "—";
  if (answer.na_reason) return words("na");
  if (answer.unsure) return words("unsure");
  if (answer.cleared) return words("cleared");
  if (answer.clauses) return words("clauses", { clauses: answer.clauses.map((id) => id.split(".").slice(1).join(".")).join(", ") || "—" });
  return words("level", { level: answer.level });
}

function button(label, run, primary = false) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `button button--small${primary ? " button--primary" : ""}`;
  made.textContent = label;
  made.addEventListener("click", run);
  return made;
}

function paragraph(text, className = "") {
  const made = document.createElement("p");
  made.className = className;
  made.textContent = text;
  return made;
}

function show(banner, kind, lines, actions) {
  banner.className = `banner banner--${kind}`;
  banner.setAttribute("role", "alert");
  const text = document.createElement("div");
  text.className = "banner__text";
  text.append(...lines);
  const buttons = document.createElement("div");
  buttons.className = "banner__actions";
  buttons.append(...actions);
  banner.replaceChildren(text, buttons);
  banner.hidden = false;
  banner.scrollIntoView({ block: "nearest" });
}

/** Returns tell(state, detail) for a Saver: `line` is the status line, `banner` an empty element. */
export function teller(line, banner, getSaver) {
  const set = (state, text) => {
    line.dataset.save = state;
    line.textContent = text;
  };
  const conflict = ({ theirs, mine }) => {
    const saver = getSaver();
    const at = theirs ? clock(new Date(theirs.at)) : "";
    set("conflict", words("conflict", { name: theirs?.by ?? "", time: at }));
    show(
      banner,
      "warn",
      [
        paragraph(words("conflict", { name: theirs?.by ?? "", time: at }), "banner__title"),
        paragraph(`${words("theirs")}: ${answerWords(theirs)}${theirs?.note ? ` · ${theirs.note}` : ""}`),
        paragraph(`${words("mine")}: ${answerWords(mine)}${mine?.note ? ` · ${mine.note}` : ""}`),
      ],
      [
        button(words("keepMine"), () => saver.keepMine(theirs?.version ?? 0), true),
        button(words("takeTheirs"), () => {
          saver.dropMine();
          location.reload();
        }),
      ],
    );
  };
  return (state, detail) => {
    if (state === "conflict") return conflict(detail);
    if (state === "saved") {
      banner.hidden = true;
      return set("saved", words("saved", { time: clock() }));
    }
    if (state === "saving") return set("saving", words("saving"));
    if (state === "retrying") return set("retrying", words("retrying", { count: detail.count }));
    if (state === "offline") return set("offline", words("offline", { count: 1 }));
    const saver = getSaver();
    if (state === "signed-out") {
      set("failed", words("signedOut"));
      const link = document.createElement("a");
      link.href = "/accounts/login/";
      link.target = "_blank";
      link.className = "button button--small button--primary";
      link.textContent = words("signIn");
      return show(banner, "warn", [paragraph(words("signedOut"))], [link, button(words("retry"), () => saver.retry())]);
    }
    set("failed", words("failed", { message: detail.message }));
    return show(banner, "fail", [paragraph(words("failed", { message: detail.message }))], [button(words("retry"), () => saver.retry())]);
  };
}
