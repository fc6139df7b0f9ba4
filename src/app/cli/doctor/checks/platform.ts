import { connect } from 'node:net';
import type { Extractor } from '../../../../downloader/extractors/extractor.ts';
import type { PostReference } from '../../../../downloader/post/post.ts';
import { type CanaryRow, runCanary } from '../../../../downloader/posts/canary/canary.ts';
import { locatePost } from '../../../../downloader/posts/locate-post.ts';
import { Failure } from '../../../../failures/failures.ts';
import { type Check, error, type Finding, ok, warning } from '../../../../server/commands/checks.ts';
import { assemblePlatform } from '../../../parts/downloader/platform.ts';

const connectMs = 5000;

/** Whether anybody answers at a proxy at all. @throws Error of the connection */
function reach(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, timeout: connectMs }, resolve);
  socket.once('timeout', () => reject(new Error(`no answer within ${connectMs / 1000} s`)));
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}

const otherPost = 'name a post that is there: --post URL';

function findingOf({ name, ok: works, ms, found, note }: CanaryRow): Finding {
  const took = `${Math.round(ms)} ms`;
  if (works) return ok(`${found}, ${took}`, undefined, name);
  // The platform answered, and has something to say about the post.
  if (/^(?:post|account)_/.test(found))
    return warning(`the platform answers, but not with the post: ${found}`, otherPost, name);
  return error([found, note, took].filter(Boolean).join(', '), undefined, name);
}

/** A strategy that fails while another one works costs time only. */
function weighed(findings: readonly Finding[]): Finding[] {
  const works = findings.some(({ level }) => level === 'ok');
  const todo = works
    ? 'others stand in for it; look for an update'
    : 'visitors get no files: try other proxies (OUTBOUND_PROXIES), and look for an update';
  return findings.map((finding) =>
    finding.level === 'error' ? { todo, ...finding, level: works ? 'warning' : 'error' } : finding,
  );
}

async function tryStrategies(
  { strategies }: Extractor,
  reference: PostReference,
  signal: AbortSignal,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const row of runCanary(strategies, reference, signal, async () => []))
    found.push(findingOf(row));
  return weighed(found);
}

export const platform: Check = {
  name: 'platform',
  todo: 'look whether this machine, or its proxies (OUTBOUND_PROXIES), reach www.tiktok.com',
  limitMs: 60_000,
  async run({ environment, post, signal }) {
    const { network, extractors, egresses } = await assemblePlatform(environment, {
      searchPath: process.env.PATH ?? '',
    });
    try {
      const { reference, extractor } = await locatePost(post, extractors, signal);
      const states = egresses.states();
      if (states.length === 0) return await tryStrategies(extractor, reference, signal);
      const proxies = environment.OUTBOUND_PROXIES ?? [];
      const perWay = proxies.map(async ({ id, label, host, port }): Promise<Finding[]> => {
        try {
          await reach(host, port);
        } catch (thrown) {
          return [error((thrown as Error).message, 'start it, or take it out of OUTBOUND_PROXIES', label)];
        }
        const found = await tryStrategies(extractor, { ...reference, egress: id }, signal);
        return found.map((finding) => ({ ...finding, of: `${finding.of} by ${label}` }));
      });
      return (await Promise.all(perWay)).flat();
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return [error(thrown.message, otherPost)];
    } finally {
      await network.close();
    }
  },
};
