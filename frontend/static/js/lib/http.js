/* fetch with the CSRF token and JSON, and one kind of error for a network that is not there. */

/** The network failed or took too long; trying again may help. */
export class Unreachable extends Error {}

/** The current token: the cookie, which a sign-in in another tab renews, else the page's own. */
export function csrfToken() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  if (cookie) return decodeURIComponent(cookie.slice("csrftoken=".length));
  return document.querySelector("meta[name=csrf-token]")?.content ?? "";
}

async function body(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (response.status === 204) return null;
  return type.includes("json") ? response.json() : response.text();
}

/**
 * Sends a request to our own server.
 * Resolves to {status, ok, data, headers, redirected}; any status counts as an answer.
 * Rejects with Unreachable when no answer came within `timeout` milliseconds.
 */
export async function request(method, url, { json, headers = {}, timeout = 15000, keepalive = false } = {}) {
  const options = {
    method,
    keepalive,
    credentials: "same-origin",
    signal: AbortSignal.timeout(timeout),
    headers: { Accept: "application/json", "X-CSRFToken": csrfToken(), ...headers },
  };
  if (json !== undefined) {
    options.body = JSON.stringify(json);
    options.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(url, options);
    const data = await body(response);
    const { status, ok, redirected } = response;
    return { status, ok, data, redirected, headers: response.headers };
  } catch (error) {
    throw new Unreachable(String(error), { cause: error });
  }
}

export const get = (url, options) => request("GET", url, options);
export const post = (url, json, options) => request("POST", url, { ...options, json });
export const patch = (url, json, options) => request("PATCH", url, { ...options, json });
