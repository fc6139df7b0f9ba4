import type { Extractor } from '../../../downloader/extractors/extractor.ts';
import { describeFiles } from '../../../downloader/options/describe-files.ts';
import { type CanaryRow, runCanary } from '../../../downloader/posts/canary.ts';
import { locatePost } from '../../../downloader/posts/locate-post.ts';
import type { MediaSource, Post, PostReference } from '../../../downloader/posts/post.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import { Failure } from '../../../failures/failures.ts';
import { readEnvironment } from '../../../process/environment.ts';
import { printError, printJson, printText } from '../../../web/commands/print.ts';
import { assemblePlatform, type PlatformParts } from '../../parts/downloader/platform.ts';

interface Platform extends Pick<PlatformParts, 'network'> {
  readonly extractor: Extractor;
}

/** What all ways of reading gave by one way out. */
interface CanaryOfWay {
  /** Null where there is one way out only. */
  readonly egress: string | null;
  readonly proxy: string | null;
  readonly strategies: readonly CanaryRow[];
}

/** For one way out. */
const limitMs = 60_000;

function printRow({ name, ok, ms, found, note, files }: CanaryRow): void {
  printText(
    [ok ? 'ok    ' : 'failed', name.padEnd(8), `${Math.round(ms)} ms`.padStart(8), found, note]
      .join('  ')
      .trimEnd(),
  );
  for (const file of files) printText(`        ${file}`);
}

/** @param show told of each as it comes */
async function tryStrategies(
  { extractor, network }: Platform,
  reference: PostReference,
  show: (row: CanaryRow) => void,
): Promise<CanaryRow[]> {
  const rows: CanaryRow[] = [];
  const openSource = (source: MediaSource) => createRemoteByteSource({ network, source });
  const describe = (post: Post, signal: AbortSignal) => describeFiles(post, openSource, signal);
  const canary = runCanary(extractor.strategies, reference, AbortSignal.timeout(limitMs), describe);
  for await (const row of canary) {
    rows.push(row);
    show(row);
  }
  return rows;
}

/** The same by each way out. */
async function tryEgresses(
  { egresses, ...platform }: Platform & Pick<PlatformParts, 'egresses'>,
  reference: PostReference,
  json: boolean,
): Promise<CanaryOfWay[]> {
  const show = json ? () => undefined : printRow;
  const states = egresses.states();
  if (states.length === 0)
    return [{ egress: null, proxy: null, strategies: await tryStrategies(platform, reference, show) }];
  const tried: CanaryOfWay[] = [];
  for (const { id, label } of states) {
    if (!json) printText(`egress ${id}  ${label}`);
    const strategies = await tryStrategies(platform, { ...reference, egress: id }, show);
    tried.push({ egress: id, proxy: label, strategies });
  }
  return tried;
}

/**
 * Runs every way of reading posts on one post, by every way out, for an operator to see which one broke, and what its
 * files hold.
 * @returns 0 when the first way of reading works everywhere, 1 when it does not, 2 for a wrong link
 */
export async function runCanaryCommand({ url, json }: { url: string; json: boolean }): Promise<number> {
  const searchPath = process.env.PATH ?? '';
  const { network, extractors, egresses } = await assemblePlatform(readEnvironment(process.env), {
    searchPath,
  });
  try {
    const { reference, extractor } = await locatePost(url, extractors, AbortSignal.timeout(limitMs));
    const tried = await tryEgresses({ extractor, network, egresses }, reference, json);
    if (json) printJson({ platform: reference.platform, id: reference.id, egresses: tried });
    return tried.every(({ strategies: [first] }) => first?.ok === true) ? 0 : 1;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    printError(`${url}: ${thrown.message}`);
    return thrown.key.startsWith('link_') ? 2 : 1;
  } finally {
    await network.close();
  }
}
