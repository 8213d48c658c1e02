// The same work with BullMQ: `node bullmq.mjs noop|idle|read PORT …` prints one line of JSON. Called by run.py.
//   noop PORT JOBS CALLERS   as many callers await add(), one worker in the same process takes as many at once
//   idle PORT JOBS           one job at a time, from add() to its start
//   read PORT ORIGIN...      a page a job: fetched, parsed by linkedom and read by Readability in two worker processes
import cluster from 'node:cluster';
import { Queue, Worker } from 'bullmq';

const [mode, port, ...words] = process.argv.slice(2);
const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };
const name = `carrel-bench-${mode}`;
const data = (more) => ({ ...more, pad: 'x'.repeat(200) });
const seconds = (since) => (performance.now() - since) / 1000;
const tell = (figures) => console.log(JSON.stringify(figures));

async function finish(queue, worker) {
  await worker?.close(true);
  await queue.obliterate({ force: true });
  await queue.close();
  process.exit(0);
}

async function noop(jobs, callers) {
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
  let done = 0, begin, next = 0, end;
  const ended = new Promise((resolve) => { end = resolve; });
  const worker = new Worker(name, async () => {}, { connection, concurrency: callers });
  worker.on('completed', () => { done += 1; if (done === jobs) end(); });
  await worker.waitUntilReady();
  begin = performance.now();
  const caller = async () => { while (next < jobs) { next += 1; await queue.add('job', data({ next })); } };
  await Promise.all(Array.from({ length: callers }, caller));
  await ended;
  tell({ jobs_s: jobs / seconds(begin) });
  await finish(queue, worker);
}

async function idle(jobs) {
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
  let started;
  const worker = new Worker(name, async () => { started(performance.now()); }, { connection, concurrency: 1 });
  await worker.waitUntilReady();
  const times = [];
  for (let number = 0; number < jobs; number += 1) {
    const start = new Promise((resolve) => { started = resolve; });
    const begin = performance.now();
    await queue.add('job', data({ number }));
    times.push(await start - begin);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  times.sort((a, b) => a - b);
  tell({ p50_ms: times[jobs >> 1], p99_ms: times[Math.floor(jobs * 0.99)] });
  await finish(queue, worker);
}

async function read(addresses) {
  if (!cluster.isPrimary) {
    const { parseHTML } = await import('linkedom');
    const { Readability } = await import('@mozilla/readability');
    new Worker(name, async (job) => {
      const page = await (await fetch(job.data.url)).text();
      const article = new Readability(parseHTML(page).document).parse();
      return { title: article.title, text: article.textContent };
    }, { connection, concurrency: 8, lockDuration: 60_000 });
    return;
  }
  const queue = new Queue(name, { connection });
  const ready = Array.from({ length: 2 }, () => new Promise((resolve) => cluster.fork().on('online', resolve)));
  await Promise.all(ready);
  while ((await queue.getWorkersCount()) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  const begin = performance.now();
  for (const url of addresses) await queue.add('read', { url });
  for (;;) {
    const { completed, failed } = await queue.getJobCounts('completed', 'failed');
    if (completed + failed >= addresses.length) {
      tell({ jobs_s: addresses.length / seconds(begin), completed, failed });
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const worker of Object.values(cluster.workers)) worker.kill('SIGKILL');
  await finish(queue);
}

if (mode === 'noop') await noop(Number(words[0]), Number(words[1]));
else if (mode === 'idle') await idle(Number(words[0]));
else await read(words);
