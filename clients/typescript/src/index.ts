/** Typed client of Carrel's Developer API: `connect`, `result`, and `pages`. */

import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { components, operations, paths } from "./schema.js";

export type { components, operations, paths };
/** Types of request and response bodies by name, as in `Schemas["LibraryItem"]`. */
export type Schemas = components["schemas"];
export type CarrelClient = Client<paths>;

/** Error response. `code` is stable; `retryAfter` is in seconds, and missing if a retry cannot help. */
export class CarrelError extends Error {
  override readonly name = "CarrelError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details?: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** Returns a client that sends an API key or access token. */
export function connect(baseUrl: string, key: string, options: Omit<ClientOptions, "baseUrl"> = {}): CarrelClient {
  const headers = { ...(options.headers as Record<string, string>), Authorization: `Bearer ${key}` };
  return createClient<paths>({ ...options, baseUrl, headers });
}

/** Returns the body of a response. Throws `CarrelError` if it is an error. */
export async function result<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  const body = (typeof error === "object" && error !== null ? error : {}) as Partial<Schemas["Error"]>;
  // A body without a code is not from the service, but for example from a proxy.
  const code = body.code ?? "unexpected_answer";
  throw new CarrelError(response.status, code, body.error ?? String(error).slice(0, 200), body.details, body.retryAfter);
}

/** Yields each page of a list until there is no further cursor. `ask` requests the page at a cursor. */
export async function* pages<T extends { nextCursor?: string | null }>(
  ask: (cursor: string | undefined) => Promise<{ data?: T; error?: unknown; response: Response }>,
): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const page: T = await result(ask(cursor));
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
