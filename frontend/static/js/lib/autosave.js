/* Saves one answer at a time: the newest draft wins, nothing typed is lost.
   A draft is kept on this device until the server has it, and sent again with the same key after a lost reply. */
import { patch, Unreachable } from "./http.js";
import { forget, load, names, save } from "./store.js";

const SLOW = 300;
const PAUSES = [1000, 2000, 4000, 8000, 15000, 30000];

export const slot = (user, assessment, practice) => `answer:${user}:${assessment}:${practice}`;

/** Drafts of this person that another page left behind: [{slot, url, practice, draft, version, key}]. */
export function leftovers(user, assessment, except) {
  return names(`answer:${user}:${assessment}:`)
    .filter((name) => name !== except)
    .map((name) => ({ slot: name, ...load(name) }))
    .filter((item) => item.draft && item.url);
}

function newKey() {
  return crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

/** One practice. `tell(state, detail)` is called with saving, saved, retrying, offline, conflict, failed, signed-out. */
export class Saver {
  constructor({ name, url, practice, version, tell }) {
    Object.assign(this, { name, url, practice, version, tell });
    this.pending = load(name);
    this.sending = null;
    this.tries = 0;
    this.blocked = false;
    this.timer = null;
    window.addEventListener("online", () => this.retry());
    window.addEventListener("focus", () => this.blocked === "signed-out" && this.retry());
  }

  /** A new draft; it replaces one that is not on its way yet. */
  change(draft) {
    this.pending = { draft, url: this.url, practice: this.practice, version: this.version, key: newKey() };
    save(this.name, this.pending);
    if (this.blocked !== "conflict") this.blocked = false;
    this.flush();
  }

  retry() {
    if (this.blocked === "conflict") return;
    this.blocked = false;
    this.tries = 0;
    this.flush();
  }

  /** Sends what waits; resolves when nothing is on its way. */
  flush() {
    clearTimeout(this.timer);
    this.sending ??= this.#loop().finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  /** Resolves to true when all is saved within `milliseconds`. */
  async settled(milliseconds) {
    if (!this.pending) return true;
    await Promise.race([this.flush(), new Promise((resolve) => setTimeout(resolve, milliseconds))]);
    return !this.pending;
  }

  keepMine(version) {
    this.version = version;
    this.blocked = false;
    this.change(this.pending.draft);
  }

  dropMine() {
    this.pending = null;
    forget(this.name);
  }

  async #loop() {
    while (this.pending && !this.blocked) {
      const item = this.pending;
      const slow = setTimeout(() => this.tell("saving", {}), SLOW);
      let answer;
      try {
        const headers = { "If-Match": `"${this.version}"`, "Idempotency-Key": item.key };
        answer = await patch(this.url, item.draft, { headers, keepalive: true });
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        answer = null;
      } finally {
        clearTimeout(slow);
      }
      if (!this.#take(item, answer)) return;
    }
  }

  /** What the answer means; true to go on with what came in the meantime. */
  #take(item, answer) {
    if (answer?.ok && answer.data?.answer) {
      this.version = answer.data.answer.version;
      this.tries = 0;
      if (this.pending === item) this.dropMine();
      else save(this.name, this.pending);
      this.tell("saved", answer.data);
      return true;
    }
    const status = answer?.status ?? 0;
    const error = answer?.data?.error;
    if (status === 409 && error?.code === "answer_changed") {
      this.blocked = "conflict";
      this.tell("conflict", { theirs: error.extra?.theirs, mine: item.draft });
    } else if (status === 401) {
      this.blocked = "signed-out";
      this.tell("signed-out", {});
    } else if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
      this.blocked = "failed";
      this.tell("failed", { message: error?.message ?? String(status) });
    } else {
      this.tries += 1;
      this.tell(navigator.onLine ? "retrying" : "offline", { count: this.tries });
      this.timer = setTimeout(() => this.flush(), PAUSES[Math.min(this.tries, PAUSES.length) - 1]);
    }
    return false;
  }
}
