// Requests an explanation of selected words of a saved item from a stub of a language model. Without scripts, the
// words are sent with a form.
import assert from "node:assert/strict";
import { createServer } from "node:http";

const WORDS = "The ferry leaves the harbour at six in the morning";
const INSTRUCTION = "List the times.";
const ANSWER = "The first boat of the day is early.";

/// Starts the stub. Its answer is the same for each request.
const startModel = async (port) => {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    requests.push(body);
    const message = { role: "assistant", content: JSON.stringify({ answer: ANSWER }) };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
  });
  await new Promise((resolve) => { server.listen(port, "127.0.0.1", resolve); });
  return { requests, stop: () => { server.closeAllConnections(); server.close(); } };
};

/// Requests an explanation of words of the item at this path.
export const explainPassage = async ({ page, open, step, until, press, picture }, item, withScripts) => {
  const model = await startModel(Number(process.env.MODEL_PORT));
  step("explain a passage");
  await open("/settings/model");
  await press("Switch on");
  await page.waitForURL(/settings\/model\?on/);
  await open(item);
  if (withScripts) {
    await page.evaluate((words) => {
      const part = [...document.querySelectorAll("article.text p")].find((one) => one.textContent.includes(words));
      getSelection().selectAllChildren(part);
      document.dispatchEvent(new Event("selectionchange"));
    }, WORDS);
    await page.locator("#selection-tools button", { hasText: "Explain" }).click();
    await page.locator("#passage.popup", { hasText: ANSWER }).waitFor();
  } else {
    await page.locator("details:has(#passage-form) > summary").click();
    await page.locator("#passage-words").fill(WORDS);
    await page.locator("#passage-form button").click();
    await until("the answer comes", async () => {
      await open(item);
      return (await page.locator("#passage").textContent()).includes(ANSWER);
    });
  }
  await picture("passage");
  if (withScripts) {
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#passage.popup").count(), 0, "Escape closes the answer");
    await page.keyboard.press("G");
    await page.locator("#selection-tools input").fill(INSTRUCTION);
    await page.keyboard.press("Enter");
    await page.locator("#passage.popup h2", { hasText: INSTRUCTION }).waitFor();
    await page.locator("#passage.popup", { hasText: ANSWER }).waitFor();
    const isInText = () => page.evaluate(() => document.activeElement.closest("article.text p") !== null);
    assert.ok(await isInText(), "the paragraph has the focus that the tools had");
    assert.equal(await page.inputValue("#passage-instruction"), "", "the form of the page does not keep the instruction");
    await page.locator("#passage.popup button").last().press("Enter");
    assert.equal(await page.locator("#passage.popup").count(), 0, "Close closes the answer");
    assert.ok(await isInText(), "the paragraph has the focus that the answer had");
    assert.ok(model.requests[1].includes(INSTRUCTION) && model.requests[1].includes(WORDS), "the instruction is sent with the words");
  }
  assert.equal(model.requests.length, withScripts ? 2 : 1);
  assert.ok(model.requests[0].includes(WORDS), "the words are sent");
  model.stop();
  await open(item);
};
