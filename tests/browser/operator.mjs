// The operator's pages: ten thousand jobs in all states are listed page by page, retried, cancelled, and paused; then every
// page of the administration is opened; then, if Prometheus is installed, it scrapes the metrics of every role. Run by `run
// --operator`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { launch } from "./browser.mjs";
import { start } from "./site.mjs";

const { SERVICE, CARREL, DATABASE_URL, OPERATIONS, PROMETHEUS, DASHBOARD } = process.env;
const EMAIL = "operator@example.org";
const PASSWORD = "a lamp by the harbour wall";
const ask = (sql) => execFileSync("psql", [DATABASE_URL, "-Atqc", sql], { encoding: "utf8" }).trim();
const jobs = (state) => Number(ask(`SELECT count(*) FROM job WHERE key LIKE 'story-%' AND state = '${state}'`));
const site = await start();
const { page, open, picture, step, until, press, lookAt, end } = await launch("operator", true);
const text = () => page.textContent("main");

/// Inserts two thousand jobs in each state, of paused kinds, so that their states do not change.
function fill() {
  for (const kind of ["mail", "notice", "library_tag"]) execFileSync(CARREL, ["jobs", "pause", kind]);
  for (const [at, state] of ["ready", "running", "complete", "failed", "dead"].entries()) {
    const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    ask(`INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, lease_until, worker, error_code,
      error_message, created_at, finished_at) SELECT gen_random_uuid(), (ARRAY['mail', 'notice', 'library_tag'])[1 + n % 3],
      'story-${state}-' || n, '{"n":' || n || '}', 0, ${now} - n, '${state}', 1, 1,
      ${state === "running" ? `${now} + 86400000` : "NULL"}, 'a-worker', ${at > 2 ? "'internal_error'" : "NULL"},
      ${at > 2 ? "'It failed.'" : "NULL"}, ${now}, ${at < 2 ? "NULL" : now} FROM generate_series(1, 2000) n`);
  }
}

console.log("the operator's story");

step("become an operator");
await open("/sign-up");
await page.fill("#email", EMAIL);
await page.fill("#password", PASSWORD);
await press("Create account");
await page.waitForURL(/settings\/plan/);
assert.equal((await page.request.get(`${SERVICE}/admin`)).status(), 404, "nobody else sees these pages");
execFileSync(CARREL, ["account", "set-admin", EMAIL, "on"]);
await open(`/read?url=${encodeURIComponent(`${site.origin}/0`)}`);

step("ten thousand jobs");
fill();
await open("/admin");
await picture("kinds");
assert.match(await text(), /Send mail[\s\S]*Paused/);
await open("/admin/jobs?kind=mail&state=failed");
const seen = [];
let pages = 0;
for (let more = true; more; pages++) {
  seen.push(...(await page.locator('input[name="job"]').evaluateAll((all) => all.map(({ value }) => value))));
  const next = page.locator('a[rel="next"]');
  more = (await next.count()) > 0;
  if (more) await next.click();
}
const wanted = Number(ask("SELECT count(*) FROM job WHERE kind = 'mail' AND state = 'failed'"));
assert.ok(wanted > 600);
assert.deepEqual([seen.length, new Set(seen).size], [wanted, wanted], "each once");
step(`${seen.length} failed ones on ${pages} pages, each once`);

step("retry, cancel, retry all");
await open(`/admin/jobs/${seen[0]}`);
await picture("one-job");
assert.match(await text(), /internal_error/);
await press("Retry");
await page.waitForURL(/done=1/);
assert.deepEqual([jobs("failed"), jobs("ready")], [1999, 2001]);
await open(`/admin/jobs/${seen[0]}`);
await press("Cancel…");
await picture("cancel");
assert.match(await text(), /Cancel jobs\?/);
assert.equal(jobs("ready"), 2001, "it asks first");
await press("Cancel jobs");
await page.waitForURL(/done=1/);
assert.deepEqual([jobs("failed"), jobs("ready")], [2000, 2000]);
await open("/admin/jobs?kind=notice&state=failed");
for (const box of (await page.locator('input[name="job"]').all()).slice(0, 3)) await box.check();
await press("Retry selected");
await page.waitForURL(/done=3/);
await press("Retry all…");
await press("Retry jobs");
await page.waitForURL(/done=66\d&left=0/);
await picture("retried-all");
assert.equal(Number(ask("SELECT count(*) FROM job WHERE kind = 'notice' AND state = 'failed'")), 0);
await open("/admin/jobs?kind=library_tag&state=ready");
await press("Cancel all…");
await press("Cancel jobs");
await page.waitForURL(/done=66\d&left=0/);
assert.equal(Number(ask("SELECT count(*) FROM job WHERE kind = 'library_tag' AND state = 'ready'")), 0);

step("pause and resume a kind");
const paused = () => ask("SELECT count(*) FROM job_pause WHERE kind = 'feed_hub'");
await open("/admin");
await press("Pause “Subscribe to hubs”");
await page.waitForURL(/paused/);
await picture("paused");
assert.equal(paused(), "1");
await press("Resume “Subscribe to hubs”");
await page.waitForURL(/resumed/);
assert.equal(paused(), "0");
await open("/admin/kinds/mail/limits");
await picture("limits");

step("every page of the administration, at both widths, in light and dark");
await lookAt([
  "/admin", "/admin/kinds/mail/limits", "/admin/jobs", "/admin/jobs?kind=mail&state=failed", "/admin/jobs?kind=&state=ready",
  "/admin/jobs?kind=&state=running", "/admin/jobs?kind=&state=dead", `/admin/jobs/${seen[1]}`, "/admin/schedules",
  "/admin/accounts", "/admin/hosts",
]);
site.stop();
await end();

step("metrics");
for (const address of OPERATIONS.split(" ")) {
  const metrics = await (await fetch(`http://${address}/metrics`)).text();
  const said = PROMETHEUS ? execFileSync("promtool", ["check", "metrics"], { input: metrics, encoding: "utf8" }) : "";
  assert.equal(said, "", address);
  step(`${address}: ${metrics.split("\n").filter((line) => line && !line.startsWith("#")).length} series`);
}
if (PROMETHEUS) {
  const query = async (expression) =>
    (await fetch(`${PROMETHEUS}/api/v1/query?query=${encodeURIComponent(expression)}`)).json();
  const up = async () => Number((await query("sum(up)")).data?.result?.[0]?.value[1]) === OPERATIONS.split(" ").length;
  await until("Prometheus has scraped every role", () => up().catch(() => false));
  await until("it has scraped them again", async () => (await query("count_over_time(up[1m]) > 3")).data.result.length > 0);
  const expressions = JSON.parse(readFileSync(DASHBOARD, "utf8")).panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const empty = [];
  for (const expression of expressions) {
    const { status, error, data } = await query(expression);
    assert.equal(status, "success", `${expression}: ${error}`);
    if (data.result.length === 0) empty.push(expression);
  }
  const { data } = await (await fetch(`${PROMETHEUS}/api/v1/rules`)).json();
  const rules = data.groups.flatMap((group) => group.rules);
  for (const { name, health, lastError } of rules) assert.notEqual(health, "err", `${name}: ${lastError}`);
  step(`${expressions.length} expressions of the dashboard and ${rules.length} alerts, no error; without a series yet:`);
  for (const expression of empty) step(`  ${expression}`);
} else {
  step("Prometheus is not installed: the dashboard was not checked");
}
