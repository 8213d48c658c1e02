// Requests to a server, and their errors. A redirect is an error, so that nothing is sent to another server, and cookies are never sent.

const TIMEOUT_MS = 60_000;

/// Error response of the server.
export class ServerError extends Error {
  constructor(status, body, retryAfter) {
    super(sentence(status, body));
    this.status = status;
    this.code = body?.code ?? "";
    this.retryAfter = Number(body?.retryAfter ?? retryAfter) || 0;
  }

  /// True if the same request may succeed later.
  get isTransient() {
    return this.status === 429 || this.status >= 500;
  }

  get needsSignIn() {
    return this.status === 401;
  }
}

/// Error if the server cannot be reached.
export class Unreachable extends Error {
  constructor(origin) {
    super(`${new URL(origin).host} cannot be reached.`);
  }
}

function sentence(status, body) {
  if (status === 401) return "The server does not accept your sign-in any more. Sign in again.";
  const text = body?.error ?? body?.error_description ?? `The server answered with status ${status}.`;
  return body?.details && !body.details.includes(text) ? `${text} (${body.details})` : text;
}

/// Sends a request without a credential, and returns the parsed answer.
export async function send(origin, url, options = {}) {
  let response;
  try {
    response = await fetch(url, {
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...options,
    });
  } catch {
    throw new Unreachable(origin);
  }
  const text = await response.text().catch(() => {
    throw new Unreachable(origin);
  });
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    // The response is not from Carrel, but from another program or from a proxy in front of it.
    if (response.ok) throw new ServerError(502, { error: "The answer does not come from Carrel." });
  }
  if (!response.ok) throw new ServerError(response.status, body, response.headers.get("Retry-After"));
  return { status: response.status, body };
}
