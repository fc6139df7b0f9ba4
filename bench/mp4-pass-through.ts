/**
 * What it costs to pass an mp4 through, as bytes per CPU second against a bare pipe from undici to node:http in the
 * same process and run, and what 500 slow downloads at once take in memory.
 *
 *   npx node bench/mp4-pass-through.ts [memory]
 *
 * Memory depends on how the process is started: `--max-semi-space-size=4` keeps what the first rush of 500 downloads
 * allocates from staying resident.
 *
 * The platform (TLS) and the clients are processes of their own; only the passing process is measured.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { createPlatformNetwork } from '../src/downloader/network/platform-network.ts';
import { openVideo } from '../src/downloader/streaming/video.ts';
import type { ClientReport, ClientTask } from './mp4-pass-through/client.ts';
import type { OriginReady } from './mp4-pass-through/origin.ts';

const host = 'v16.platform.test';
const clipBytes = 32 * 1024 * 1024;
const rounds = 4;
const downloadsPerRound = 12;
const slowClients = 500;
const slowMs = 20_000;

const child = (name: string): ChildProcess =>
  fork(new URL(`./mp4-pass-through/${name}.ts`, import.meta.url), { execArgv: [] });

const origin = child('origin');
const [ready] = (await once(origin, 'message')) as [OriginReady];
const client = child('client');

const network = createPlatformNetwork({
  hosts: { page: [], 'short-link': [], media: [/^v16\.platform\.test$/] },
  proxy: {},
  // Platform, clients and this process share the machine's cores while 500 connections are made.
  timeouts: { connectMs: 15_000, headersMs: 15_000 },
  resolveAddress: async () => [{ address: '127.0.0.1', family: 4 }],
  loopback: { ca: ready.ca, portOf: () => ready.port, allowAddress: () => true },
});
const bareAgent = new Agent({
  allowH2: false,
  connect: { ca: ready.ca, servername: host },
});

async function bare(path: string, response: ServerResponse): Promise<void> {
  const answer = await bareAgent.request({
    origin: `https://127.0.0.1:${ready.port}`,
    path,
    method: 'GET',
    headers: { host },
  });
  response.writeHead(200, { 'content-length': String(answer.headers['content-length']) });
  await pipeline(answer.body, response);
}

async function ours(path: string, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const source = { urls: [`https://${host}${path}`], headers: {}, expiresAt: 0 };
  const video = await openVideo({ network, source, signal: left.signal });
  response.writeHead(video.status, { 'content-length': String(video.length) });
  await video.pipeTo(response);
}

let failures = 0;
const server = createServer((request, response) => {
  const [, how, ...rest] = (request.url ?? '').split('/');
  (how === 'bare' ? bare : ours)(`/${rest.join('/')}`, response).catch((error: unknown) => {
    if (response.destroyed) return;
    failures += 1;
    console.error(error);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

async function download(task: Omit<ClientTask, 'port'>): Promise<ClientReport> {
  client.send({ ...task, port } satisfies ClientTask);
  const [report] = (await once(client, 'message')) as [ClientReport];
  return report;
}

async function bytesPerCpuSecond(how: string): Promise<number> {
  const before = process.cpuUsage();
  const report = await download({
    path: `/${how}/${clipBytes}`,
    downloads: downloadsPerRound,
    atOnce: 2,
    bytesPerSecond: null,
    stopAfterMs: null,
  });
  const used = process.cpuUsage(before);
  if (report.bytes !== downloadsPerRound * clipBytes) throw new Error(`${how}: bytes are missing`);
  return report.bytes / ((used.user + used.system) / 1e6);
}

const only = process.argv[2];
if (only !== 'memory') {
  const results = { bare: [] as number[], ours: [] as number[] };
  await bytesPerCpuSecond('bare');
  await bytesPerCpuSecond('ours');
  for (let round = 0; round < rounds; round += 1) {
    results.bare.push(await bytesPerCpuSecond('bare'));
    results.ours.push(await bytesPerCpuSecond('ours'));
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const mb = (value: number) => (value / 1e6).toFixed(0);
  console.log(`bare pipe: ${mb(median(results.bare))} MB per CPU second`);
  console.log(`pass-through: ${mb(median(results.ours))} MB per CPU second`);
  console.log(`ratio: ${(median(results.ours) / median(results.bare)).toFixed(2)} (at least 0.90)`);
}

const before = process.memoryUsage.rss();
let peak = 0;
// The peak of the kernel's own account would include the fast downloads before.
const sampling = setInterval(async () => {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const rss = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
  peak = Math.max(peak, rss === undefined ? process.memoryUsage.rss() : Number(rss) * 1024);
}, 200);
const slow = await download({
  path: `/ours/${clipBytes}`,
  downloads: slowClients,
  atOnce: slowClients,
  bytesPerSecond: 50_000,
  stopAfterMs: slowMs,
});
clearInterval(sampling);
console.log(
  `${slow.started} slow downloads at once: ${(peak / 1e6).toFixed(0)} MB resident (at most 250 MB), ${(before / 1e6).toFixed(0)} MB before`,
);
console.log(`failures: ${slow.failures + failures}`);

server.closeAllConnections();
server.close();
await network.close();
await bareAgent.destroy();
client.kill();
origin.kill();
