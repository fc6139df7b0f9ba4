import type { Extractor } from '../../downloader/extractors/extractor.ts';
import { contentOf } from '../../downloader/extractors/matrix.ts';
import { describeFiles } from '../../downloader/options/describe-files.ts';
import type { MediaSource, Post, PostReference } from '../../downloader/post/post.ts';
import { type CanaryRow, runCanary } from '../../downloader/posts/canary/canary.ts';
import { canaryPost } from '../../downloader/posts/canary/default-link.ts';
import { askMatrices, type EgressMatrix } from '../../downloader/posts/canary/matrix.ts';
import { locatePost } from '../../downloader/posts/locate-post.ts';
import { createRemoteByteSource } from '../../downloader/streaming/byte-source.ts';
import { causesOf, Failure } from '../../failures/failures.ts';
import { readEnvironment } from '../../process/environment.ts';
import { printError, printJson, printText } from '../../server/commands/print.ts';
import { assemblePlatform, type PlatformParts } from '../parts/downloader/platform.ts';

interface Platform extends Pick<PlatformParts, 'network'> {
  readonly extractor: Extractor;
}

/** Results of all strategies through one egress. */
interface EgressCanary {
  /** Null where there is one egress only. */
  readonly egress: string | null;
  readonly proxy: string | null;
  readonly strategies: readonly CanaryRow[];
}

/** Time for one egress. */
const limitMs = 60_000;
/** Time for the matrices of all egresses: thirty requests each. */
const matrixLimitMs = 120_000;

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

/** The same through each egress. */
async function tryEgresses(
  { egresses, ...platform }: Platform & Pick<PlatformParts, 'egresses'>,
  reference: PostReference,
  json: boolean,
): Promise<EgressCanary[]> {
  const show = json ? () => undefined : printRow;
  const states = egresses.states();
  if (states.length === 0)
    return [{ egress: null, proxy: null, strategies: await tryStrategies(platform, reference, show) }];
  const tried: EgressCanary[] = [];
  for (const { id, label } of states) {
    if (!json) printText(`egress ${id}  ${label}`);
    const strategies = await tryStrategies(platform, { ...reference, egress: id }, show);
    tried.push({ egress: id, proxy: label, strategies });
  }
  return tried;
}

function printMatrix({ egress, proxy, matrix, advice, isCut }: EgressMatrix): void {
  if (egress !== null) printText(`egress ${egress}  ${proxy}`);
  for (const row of matrix) {
    const { identity, http, jar, came, bytes, ms, note } = row;
    const cells = [identity.padEnd(12), `HTTP/${http}`.padEnd(8), jar, came.padEnd(11)];
    const figures = [`${Math.ceil(bytes / 1000)} kB`.padStart(7), `${ms} ms`.padStart(8)];
    printText([...cells, ...figures, contentOf(row), note].join('  ').trimEnd());
  }
  if (isCut) printText('The time was over before all were asked.');
  for (const line of advice) printText(`> ${line}`);
}

/**
 * Runs every strategy on one post, through every egress, for an operator to see which one broke, and what its files
 * hold; as a matrix, asks for its page as every identity instead.
 * @returns 0 when the first strategy works everywhere (as a matrix: some identity), 1 when not, 2 for a wrong link
 */
export async function runCanaryCommand({
  url = canaryPost,
  matrix,
  json,
}: {
  url: string | undefined;
  matrix: boolean;
  json: boolean;
}): Promise<number> {
  const searchPath = process.env.PATH ?? '';
  const { network, extractors, egresses } = await assemblePlatform(readEnvironment(process.env), {
    searchPath,
  });
  try {
    const { reference, extractor } = await locatePost(url, extractors, AbortSignal.timeout(limitMs));
    const print = (tried: readonly object[]) =>
      json && printJson({ platform: reference.platform, id: reference.id, egresses: tried });
    if (matrix) {
      const never = new AbortController().signal;
      const asked = await askMatrices({ extractor, egresses }, reference, never, matrixLimitMs);
      print(asked);
      if (!json) asked.forEach(printMatrix);
      return asked.every((one) => one.matrix.some(({ came }) => came === 'data')) ? 0 : 1;
    }
    const tried = await tryEgresses({ extractor, network, egresses }, reference, json);
    print(tried);
    return tried.every(({ strategies: [first] }) => first?.ok === true) ? 0 : 1;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const causes = causesOf(thrown);
    printError(`${url}: ${thrown.key}${causes && `: ${causes}`}`);
    return thrown.key.startsWith('link_') ? 2 : 1;
  } finally {
    await network.close();
  }
}
