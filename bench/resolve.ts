/** CPU of the product for each `POST /api/resolve`, uncached and cached. Baseline: fetching and parsing the page alone. */
import { gunzipSync } from 'node:zlib';
import { EnvHttpProxyAgent, request } from 'undici';
import { startJourney } from '../tests/support/journey.ts';
import { numberedId } from '../tests/support/platform.ts';
import { interleaved } from './support/in-turns.ts';
import { cpuMs } from './support/process-cost.ts';
import { print } from './support/report.ts';

const rounds = 500;
/** Warms up the compiler: a freshly started site costs more for its first seconds. */
const warmUp = 800;
const atOnce = 4;

const journey = await startJourney({ env: { RESOLVES_PER_MINUTE: '100000', LOG_LEVEL: 'info' } });
const { pid } = journey.product;

const resolve = async (n: number) => {
  const { status } = await journey.resolve(`https://www.tiktok.com/@ferry.captain/video/${numberedId(n)}`);
  if (status !== 200) throw new Error(`answered ${status}`);
};

await interleaved(warmUp, atOnce, resolve);
let before = cpuMs(pid);
await interleaved(rounds, atOnce, (n) => resolve(warmUp + n));
const uncached = (cpuMs(pid) - before) / rounds;

await interleaved(warmUp, atOnce, () => resolve(warmUp));
before = cpuMs(pid);
await interleaved(rounds * 5, atOnce, () => resolve(warmUp));
const cached = (cpuMs(pid) - before) / (rounds * 5);

// The same pages in this process: fetched through the same proxy, with the whole script parsed.
const { readFileSync } = await import('node:fs');
const { HTTPS_PROXY, NODE_EXTRA_CA_CERTS } = journey.platform.environment;
const ca = readFileSync(NODE_EXTRA_CA_CERTS, 'utf8');
const dispatcher = new EnvHttpProxyAgent({
  httpsProxy: HTTPS_PROXY,
  requestTls: { ca },
  connections: atOnce,
});
const plain = async (n: number) => {
  const answer = await request(`https://www.tiktok.com/@i/video/${numberedId(n)}`, {
    dispatcher,
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'accept-encoding': 'gzip',
    },
  });
  const body = gunzipSync(await answer.body.arrayBuffer()).toString();
  JSON.parse(
    body.slice(body.indexOf('{"__DEFAULT_SCOPE__"'), body.lastIndexOf('</script>')).split('</script>')[0] ??
      '',
  );
};
await interleaved(warmUp, atOnce, plain);
const start = process.cpuUsage();
await interleaved(rounds, atOnce, plain);
const used = process.cpuUsage(start);
const baseline = (used.user + used.system) / 1000 / rounds;

print({ what: 'resolve, uncached', value: uncached, unit: 'ms CPU', atMost: 2 });
print({
  what: 'resolve, uncached, against fetching and parsing alone',
  value: uncached,
  unit: 'ms CPU',
  baseline,
});
print({ what: 'resolve, cached', value: cached, unit: 'ms CPU', atMost: 0.5 });
await dispatcher.close();
await journey.stop();
