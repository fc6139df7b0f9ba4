import { parseArgs } from 'node:util';
import { gateHelp } from './pages/gate.ts';
import { POSTS, postUrl } from './scenarios/posts.ts';
import { SHORT_LINKS } from './scenarios/short-links.ts';
import { startTiktokDouble } from './server.ts';

/** Runs the double as a process, or prints what it serves. */
const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    'ca-file': { type: 'string' },
    'latency-ms': { type: 'string' },
    'bandwidth-bps': { type: 'string' },
    seed: { type: 'string' },
  },
});

if (values.list) {
  console.log(list());
} else {
  const double = await startTiktokDouble({
    port: Number(values.port),
    ...(values['ca-file'] === undefined ? {} : { caFile: values['ca-file'] }),
    ...(values['latency-ms'] === undefined ? {} : { latencyMs: Number(values['latency-ms']) }),
    ...(values['bandwidth-bps'] === undefined ? {} : { bandwidthBps: Number(values['bandwidth-bps']) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  });
  const { proxyUrl, caFile, controlUrl, links } = double;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void double.close().then(() => process.exit(0)));
  }
  console.log(JSON.stringify({ proxyUrl, caFile, controlUrl, links }));
}

/** A Markdown table for each group. */
function list(): string {
  const groups = Map.groupBy(POSTS, ({ group }) => group);
  const rows = (entries: ReadonlyArray<readonly [string, string, string]>) =>
    [
      '| name | what it does | link |',
      '| --- | --- | --- |',
      ...entries.map((cells) => `| ${cells.join(' | ')} |`),
    ].join('\n');
  return [
    ...[...groups].map(
      ([group, posts]) =>
        `## ${group}\n\n${rows(posts.map((scenario) => [scenario.name, scenario.about, postUrl(scenario)]))}`,
    ),
    `## the gate\n\nFields of \`gate\` (all clients) and \`gates\` (one client) of \`POST /configure\`.\n\n| field | what it says |\n| --- | --- |\n${Object.entries(
      gateHelp,
    )
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n')}`,
    `## short links\n\n${rows(SHORT_LINKS.map(({ name, about, url }) => [name, about, url]))}`,
  ].join('\n\n');
}
