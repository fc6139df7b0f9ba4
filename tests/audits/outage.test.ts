import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../doubles/tiktok/hosts.ts';
import { isAudit } from '../support/audit/scope.ts';
import { type DeskVisit, operatorPassword, visitDesk } from '../support/desk.ts';
import { canHaveInstances, prepareInstances } from '../support/instances.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { numberedId, type PlatformProcess, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

const minuteMs = 60_000;
const outageMs = 6 * minuteMs;
const limitMs = outageMs + 8 * minuteMs;

/** What a webhook is told. */
interface Told {
  readonly at: number;
  readonly kind: string;
  readonly text: string;
  readonly alarm: { readonly condition: string; readonly text: string; readonly severity: string };
}

async function openReceiver() {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      told.push({ at: Date.now(), ...JSON.parse(Buffer.concat(parts).toString()) });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const environment = {
    ALARM_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    ALARM_WEBHOOK_PRIVATE: '1',
    OPERATOR_PASSWORD: operatorPassword,
    TRUST_PROXY: '127.0.0.1',
  };
  return { told, environment, close: () => server.close() };
}

/** Shuts every host of the platform, or opens all. */
const setPlatform = (platform: PlatformProcess, fault: 'refuse' | null) =>
  platform.configure({ hostFaults: Object.fromEntries(Object.keys(HOSTS).map((host) => [host, fault])) });

/** Visitors, each from another network and with another post, until they are ended. */
function startVisitors(journeys: readonly Journey[], everyMs: number) {
  const seen = { asked: 0, lastSuccess: 0 };
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      const number = seen.asked++;
      const journey = journeys[number % journeys.length];
      const from = `198.${18 + (number >> 8)}.${number % 256}.1`;
      const link = `https://www.tiktok.com/@someone/video/${numberedId(number)}`;
      const answer = await journey?.resolve(link, { 'x-forwarded-for': from });
      if (answer?.status === 200) seen.lastSuccess = Date.now();
      await pause(everyMs);
    }
  })();
  return {
    seen,
    async end() {
      ending.abort();
      await running;
    },
  };
}

const headlineOf = (html: string) =>
  /<p class="figures-headline[^>]*>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '') ?? '';

async function openDesk(journey: Journey): Promise<DeskVisit> {
  const desk = visitDesk(journey, { 'x-forwarded-for': '203.0.113.1' });
  await desk.logIn();
  return desk;
}

/** What the logs of all machines have of a text. */
const linesOf = (journeys: readonly Journey[], text: string) =>
  journeys.flatMap(({ product }) => product.log()).filter(({ msg }) => String(msg).includes(text));

async function rehearse(
  journeys: readonly Journey[],
  platform: PlatformProcess,
  told: readonly Told[],
): Promise<void> {
  const [first] = journeys;
  if (first === undefined) throw new Error('no machine');
  const desk = await openDesk(first);
  const visitors = startVisitors(journeys, 500);
  await pause(minuteMs);
  await setPlatform(platform, 'refuse');
  const shut = Date.now();
  const headlines: string[] = [];
  for (let minute = 1; minute <= outageMs / minuteMs; minute++) {
    await pause(shut + minute * minuteMs - Date.now());
    headlines.push(headlineOf(await desk.read('/operator/now')));
  }
  const { lastSuccess } = visitors.seen;
  await setPlatform(platform, null);
  const opened = Date.now();
  await until('it is told that it is over', () => told.length >= 2, 3 * minuteMs);
  await pause(Math.max(0, opened + 2 * minuteMs - Date.now()));
  const states = await Promise.all(
    journeys.map(({ product }) => product.metric('clipferry_strategy_open', {})),
  );
  const after = await desk.read('/operator/now');
  // A trouble that only lasts on would be told within five minutes.
  await pause(minuteMs);
  await visitors.end();

  expect(told.map(({ kind, alarm: { condition, severity } }) => [kind, condition, severity])).toEqual([
    ['begun', 'platform-gone', 'critical'],
    ['over', 'platform-gone', 'critical'],
  ]);
  const [begun, over] = told;
  expect(begun?.alarm.text).toMatch(/^TikTok cannot be read: 3 of 3 strategies, 0 of the last \d+ links/);
  expect(begun?.text).toContain('/operator/alarms/platform-gone');
  const times = [(begun?.at ?? 0) - lastSuccess, (over?.at ?? 0) - opened];
  console.log(`begun after ${times[0]} ms, over after ${times[1]} ms\n${headlines.join('\n')}`);
  expect(times[0]).toBeLessThan(minuteMs);
  expect(times[1]).toBeLessThan(2 * minuteMs);
  expect(headlines.at(-1)).toMatch(/^links: 0 of \d+ in five minutes/);
  expect(states).toEqual(journeys.map(() => 0));
  expect(after).not.toContain('breaker open');
  expect(headlineOf(after)).not.toMatch(/^links: 0 /);

  // Each strategy opens and closes once on each machine, and one line says that none is left.
  const opens = linesOf(journeys, 'a circuit breaker has opened');
  const closes = linesOf(journeys, 'a circuit breaker has closed');
  const readers = opens.filter(({ strategy }) => strategy !== 'tiktok/oembed');
  expect([readers.length, opens.length]).toEqual([3 * journeys.length, closes.length]);
  expect(opens.every(({ level, why }) => level === 40 && why !== '')).toBe(true);
  expect(linesOf(journeys, 'no strategy is left').map(({ level }) => level)).toEqual(journeys.map(() => 50));
  const all = journeys.flatMap(({ product }) => product.log());
  expect(all.filter(({ err }) => err !== undefined)).toEqual([]);
  const refused = all.filter(({ msg, status }) => msg === 'request' && Number(status) >= 500);
  expect(refused.length).toBeGreaterThan(100);
  expect(refused.every(({ key }) => String(key).startsWith('platform_'))).toBe(true);
  // Beside the lines of requests.
  expect(all.filter(({ msg }) => msg !== 'request').length).toBeLessThan(20 * journeys.length);
}

describe.skipIf(!isAudit)('an outage of the platform of six minutes', { concurrent: true }, () => {
  test('is two messages on one machine', { timeout: limitMs }, async () => {
    const [platform, receiver] = await Promise.all([startPlatform({}), openReceiver()]);
    const journey = await startJourney({ platform, env: receiver.environment });
    await rehearse([journey], platform, receiver.told);
    await journey.stop();
    await platform.stop();
    receiver.close();
  });

  test.skipIf(!canHaveInstances)('is two messages on three machines', { timeout: limitMs }, async () => {
    const [instances, receiver] = await Promise.all([prepareInstances(), openReceiver()]);
    const start = () => instances.start(receiver.environment);
    await rehearse(await Promise.all([start(), start(), start()]), instances.platform, receiver.told);
    await instances.stop();
    receiver.close();
  });

  test('is told within a minute of the one visitor who gets nothing', { timeout: limitMs }, async () => {
    const [platform, receiver] = await Promise.all([startPlatform({}), openReceiver()]);
    const journey = await startJourney({ platform, env: receiver.environment });
    expect((await journey.resolve('ordinary')).status).toBe(200);
    await setPlatform(platform, 'refuse');
    expect((await journey.resolve('only-576')).status).toBeGreaterThan(499);
    await until('it is told', () => receiver.told.length > 0, minuteMs);
    expect(receiver.told[0]?.alarm.text).toBe('TikTok cannot be read: 3 of 3 strategies.');
    await journey.stop();
    await platform.stop();
    receiver.close();
  });
});
