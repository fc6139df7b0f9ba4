/**
 * More than the product can do: pages that are not kept and links that nobody has asked for, offered four times as
 * fast as it answers at its best; what it still answers, how fast it refuses the rest, and what others notice.
 * Then one client with 40 connections that asks for what is not kept: what it does to kept pages.
 */
import { startJourney } from '../tests/support/journey.ts';
import { numberedId } from '../tests/support/platform.ts';
import { startProduct } from '../tests/support/product.ts';
import { atOnce, clientOf, type OfferedRequest, offered } from './support/offered.ts';
import { print } from './support/report.ts';

const durationMs = 8000;

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const timesOf = (answers: readonly { readonly ms: number }[]) =>
  answers.map(({ ms }) => ms).toSorted((a, b) => a - b);

async function overload(what: string, origin: string, next: () => OfferedRequest): Promise<void> {
  await atOnce(origin, 8, 1000, next);
  const best = await atOnce(origin, 32, durationMs / 2, next);
  const peak = (best.filter(({ status }) => status === 200).length * 2000) / durationMs;
  const beside = clientOf(origin, 1);
  const health: { ms: number }[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      health.push(await beside.ask({ path: '/healthz' }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const client = clientOf(origin);
  const answers = await offered(client, peak * 4, durationMs, next);
  isOver = true;
  await watching;
  const good = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(
    ({ status, retryAfter }) => (status === 503 || status === 429) && retryAfter,
  );
  const name = `${what}, ${Math.round(peak * 4)}/s offered`;
  print({
    what: `${name}: answered, of the best ${Math.round(peak)}/s`,
    value: (good.length * 1000) / durationMs / peak,
    unit: 'of the best',
    atLeast: 0.9,
  });
  print({
    what: `${name}: refused with a time to ask again`,
    value: refused.length / (answers.length - good.length || 1),
    unit: 'of the others',
    atLeast: 0.99,
  });
  print({
    what: `${name}: median time of a refusal`,
    value: at(timesOf(refused), 0.5),
    unit: 'ms',
    atMost: 50,
  });
  print({ what: `${name}: median time of an answer`, value: at(timesOf(good), 0.5), unit: 'ms' });
  print({
    what: `${name}: /healthz meanwhile, p99`,
    value: at(timesOf(health), 0.99),
    unit: 'ms',
    atMost: 100,
  });
  await Promise.all([client.close(), beside.close()]);
}

const uncached = await startProduct({ env: { PAGE_CACHE: '0' } });
await overload('pages that are not kept', uncached.origin, () => ({ path: '/tiktok-downloader' }));
await uncached.stop();

const journey = await startJourney({ env: { RESOLVES_PER_MINUTE: '100000' } });
let count = 0;
/** Another one each time. */
const next = () => {
  count += 1;
  return count;
};
await overload('new links', journey.product.origin, () => ({
  path: '/api/resolve',
  method: 'POST',
  body: JSON.stringify({ url: `https://www.tiktok.com/@ferry.captain/video/${numberedId(next())}` }),
}));
await journey.stop();

const product = await startProduct({ env: { PAGES_PER_MINUTE: '120', FILES_PER_MINUTE: '120' } });
const visitor = clientOf(product.origin, 4);
const visit = () => offered(visitor, 50, durationMs / 2, () => ({ path: '/tiktok-downloader' }));
await visit();
// Kept before the floods: who has asked for too much is not given what would have to be rendered.
await (await fetch(`${product.origin}/contact`)).text();
const p95 = async () => at(timesOf(await visit()), 0.95);
const alone = await p95();

/** What a kept page takes while 40 connections ask for something else, and how often they are answered. */
async function beside(next: () => OfferedRequest) {
  const flood = atOnce(product.origin, 40, durationMs, next);
  await visit();
  return { ms: await p95(), perSecond: Math.round(((await flood).length * 1000) / durationMs) };
}

const floods: Readonly<Record<string, () => OfferedRequest>> = {
  'unknown addresses': () => ({ path: `/nowhere-${next()}` }),
  'queries that the page reads': () => ({ path: `/tiktok-downloader?url=${next()}` }),
  'wrong tickets': () => ({ path: `/api/files/${next()}`, accept: 'text/html' }),
  'missing categories': () => ({ path: `/posts/none-${next()}` }),
};
for (const [what, request] of Object.entries(floods)) {
  const { ms, perSecond } = await beside(request);
  print({
    what: `kept page, p95, beside 40 connections with ${what} (${perSecond}/s)`,
    value: ms,
    unit: 'ms',
    baseline: alone,
    atMost: 2,
  });
}
// Such an address has the page itself, from the cache: it costs no more than that.
const page = await beside(() => ({ path: '/contact' }));
const query = await beside(() => ({ path: `/contact?q=${next()}` }));
print({
  what: `kept page, p95, beside 40 connections with queries that no page reads (${query.perSecond}/s), against as many with the page itself (${page.perSecond}/s)`,
  value: query.ms,
  unit: 'ms',
  baseline: page.ms,
  atMost: 2,
});
await visitor.close();
await product.stop();
