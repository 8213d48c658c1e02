// Tests of the TypeScript package against a running service: SERVICE_URL and KEY name it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CarrelError, connect, pages, result, type Schemas } from "carrel-client";

const { SERVICE_URL = "", KEY = "" } = process.env;
const client = connect(SERVICE_URL, KEY);

async function save(number: number, tag: string): Promise<Schemas["LibraryItem"]> {
  const body = {
    url: `https://example.org/${tag}/${number}`,
    title: `Desk ${number}`,
    content: `A carrel is desk ${number}.`,
    tags: [tag],
  };
  return (await result(client.POST("/v1/library/items", { body }))).item;
}

test("saved item can be read and loaded", async () => {
  const saved = await save(1, "node-read");
  const params = { path: { id: saved.id } };
  const text = await result(client.POST("/v1/library/items/{id}/read", { params, body: { maxTokens: 500 } }));
  assert.match(text.text, /A carrel is desk 1\./);
  const { item } = await result(client.GET("/v1/library/items/{id}", { params }));
  assert.deepEqual([item.id, item.title, item.tags], [saved.id, "Desk 1", ["node-read"]]);
});

test("pages yields every page of a list", async () => {
  const saved = new Set<string>();
  for (let number = 0; number < 5; number++) saved.add((await save(number, "node-list")).id);
  const walked: string[][] = [];
  const query = { limit: 2, tag: "node-list" };
  for await (const page of pages((cursor) => client.GET("/v1/library/items", { params: { query: { ...query, cursor } } }))) {
    walked.push(page.items.map((item) => item.id));
  }
  assert.deepEqual(walked.map((page) => page.length), [2, 2, 1]);
  assert.deepEqual(new Set(walked.flat()), saved);
});

async function failure(answer: Promise<unknown>): Promise<CarrelError> {
  const error: unknown = await answer.then(() => undefined, (reason: unknown) => reason);
  assert.ok(error instanceof CarrelError, String(error));
  return error;
}

test("unknown item throws an error with its code", async () => {
  const params = { path: { id: "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a" } };
  const error = await failure(result(client.GET("/v1/library/items/{id}", { params })));
  assert.deepEqual([error.status, error.code, error.retryAfter], [404, "not_found", undefined]);
  assert.ok(error.message);
});

test("invalid request throws an error that names the field", async () => {
  const error = await failure(result(client.POST("/v1/library/items", { body: { url: "nothing" } })));
  assert.deepEqual([error.status, error.code], [422, "invalid_url"]);
  assert.match(error.details ?? "", /url/);
});

test("wrong key is refused", async () => {
  const error = await failure(result(connect(SERVICE_URL, "svc_wrong").GET("/v1/me")));
  assert.equal(error.status, 401);
});
