/* A button that copies the text of the element named by data-copies. Where the clipboard is closed (plain http),
   the text is selected instead, and the words say which key copies it. */
import { announce } from "../lib/announce.js";

const SHOWN_FOR = 2000;

export default function copy(button) {
  const words = button.querySelector("span");
  const usual = words.textContent;
  let timer;

  const say = (text) => {
    words.textContent = text;
    announce(text);
    clearTimeout(timer);
    timer = setTimeout(() => {
      words.textContent = usual;
    }, SHOWN_FOR);
  };

  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.textContent);
      say(button.dataset.done);
    } catch {
      getSelection().selectAllChildren(source);
      say(button.dataset.failed);
    }
  });
}
