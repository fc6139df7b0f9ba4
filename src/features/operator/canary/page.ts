import { z } from 'zod';
import { describeFiles } from '../../../downloader/options/describe-files.ts';
import type { MediaSource, Post, PostReference } from '../../../downloader/post/post.ts';
import { type CanaryRow, runCanary } from '../../../downloader/posts/canary/canary.ts';
import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';
import { askMatrices } from '../../../downloader/posts/canary/matrix.ts';
import { locatePost } from '../../../downloader/posts/locate-post.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import { causesOf, Failure } from '../../../failures/failures.ts';
import {
  type Action,
  type ActionOutcome,
  type DeskPage,
  Refused,
  textsOf,
} from '../../../server/desk/desk-page.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';
import type { DeskTools } from '../desk-tools.ts';

const tryForm = z.object({
  link: z
    .string()
    .trim()
    .max(2000)
    .transform((text) => text || canaryPost),
  as: z.literal('matrix').optional(),
});

/** With the egresses' addresses, without their log-ins. */
function jarsOf({ resolver, egresses }: Pick<ServerDependencies, 'resolver' | 'egresses'>) {
  const labels = new Map(egresses.states().map(({ id, label }) => [id, label]));
  return resolver.jars().map((jar) => ({ ...jar, egress: labels.get(jar.egress ?? '') ?? '' }));
}

/**
 * A link, read by each strategy through each egress: which one broke, and what the files of the others hold. Its page,
 * asked for as each identity. What this instance knows of the identities.
 */
export function canaryPage({ parts }: DeskTools) {
  let isRunning = false;

  async function tryStrategies(link: string, signal: AbortSignal): Promise<ActionOutcome> {
    const tried = await tryEgresses(parts, link, signal);
    const all = tried.egresses.flatMap(({ rows }) => rows);
    const worked = all.filter(({ ok }) => ok).length;
    return {
      outcome: worked > 0 ? 'done' : 'failed',
      object: tried.post,
      text: `${worked} of ${all.length} read it.`,
      shown: { tried },
    };
  }

  async function askMatrix(link: string, signal: AbortSignal): Promise<ActionOutcome> {
    const asked = await tryMatrix(parts, link, signal);
    const rows = asked.egresses.flatMap(({ matrix }) => matrix);
    const open = rows.filter(({ came }) => came === 'data').length;
    return {
      outcome: open > 0 ? 'done' : 'failed',
      object: asked.post,
      text: `${open} of ${rows.length} requests got the page.`,
      shown: { asked },
    };
  }

  const tryLink: Action = async ({ form, signal }) => {
    const { link, as } = textsOf(form, tryForm, 'Give the link of a post.');
    if (isRunning) throw new Refused('One is running here. Try again in a minute.');
    isRunning = true;
    try {
      return await (as === 'matrix' ? askMatrix : tryStrategies)(link, signal);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      const causes = causesOf(thrown);
      const why = causes === '' ? thrown.key : `${thrown.key}: ${causes}`;
      throw new Refused(`This leads to no post (${why}).`);
    } finally {
      isRunning = false;
    }
  };

  return {
    name: 'canary',
    section: 'Do',
    title: 'Canary',
    load: async () => ({
      doors: parts.resolver.agents().filter(({ answered, refused }) => answered + refused > 0),
      jars: jarsOf(parts),
    }),
    actions: { try: tryLink },
  } satisfies DeskPage;
}

export type CanaryData = Awaited<ReturnType<ReturnType<typeof canaryPage>['load']>>;

/** In answer to the form. */
export interface CanaryShown {
  readonly tried?: Awaited<ReturnType<typeof tryEgresses>>;
  readonly asked?: Awaited<ReturnType<typeof tryMatrix>>;
}

type CanaryParts = Pick<ServerDependencies, 'extractors' | 'egresses' | 'network'>;

/** Proxies in front of the site end an answer that takes a minute. */
const limitMs = 45_000;

/**
 * Reads a post by every strategy, past their circuit breakers, and through every egress, all at once.
 * @throws Failure for a text that leads to no post
 */
async function tryEgresses(
  { extractors, egresses, network }: CanaryParts,
  text: string,
  signal: AbortSignal,
) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const openSource = (source: MediaSource) => createRemoteByteSource({ network, source });
  const describe = (post: Post, inner: AbortSignal) => describeFiles(post, openSource, inner);

  /**
   * @param egress its address without log-in; empty where there is one egress only
   * @returns `isCut` when the time was over before all strategies were tried
   */
  async function tryEgress(egress: string, named: PostReference) {
    const rows: CanaryRow[] = [];
    try {
      for await (const row of runCanary(extractor.strategies, named, limit, describe)) rows.push(row);
      return { egress, rows, isCut: false };
    } catch (thrown) {
      if (!limit.aborted || signal.aborted) throw thrown;
      return { egress, rows, isCut: true };
    }
  }

  const states = egresses.states();
  return {
    post: `${reference.platform} ${reference.id}`,
    egresses: await Promise.all(
      states.length === 0
        ? [tryEgress('', reference)]
        : states.map(({ id, label }) => tryEgress(label, { ...reference, egress: id })),
    ),
  };
}

/** Asks for a post's page as every identity through every egress. @throws Failure for a text that leads to no post */
async function tryMatrix({ extractors, egresses }: CanaryParts, text: string, signal: AbortSignal) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const asked = await askMatrices({ extractor, egresses }, reference, signal, limitMs);
  return { post: `${reference.platform} ${reference.id}`, egresses: asked };
}
