import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { z } from 'zod';
import { resolveRequest } from '../../api/schemas.ts';
import {
  addressOf,
  addressOfList,
  type LinkTables,
  type RecognisedLinks,
  recogniseLinks,
  recogniseList,
  withoutHandle,
} from '../../downloader/links/recognise.ts';
import type { PostReference } from '../../downloader/post/post.ts';
import type { ResolveEvent } from '../../downloader/posts/resolver.ts';
import { asFailure, Failure } from '../../failures/failures.ts';
import { findModule } from '../../site/addressing/site-pages.ts';
import type { ResolveResponse, ResolveResult } from '../../site/api.ts';
import type { DownloaderModule, SiteConfiguration } from '../../site/configuration/configuration.ts';
import { statuses } from '../http/responses/statuses.ts';
import type { Visitor } from '../http/visitor/visitor.ts';
import { errorResponse, localeOf } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { resolveResult } from './answers.ts';

/** Number of characters searched; a link after them is not found. */
const maxTextLength = 4_000;

/** Text of a share sheet with room to spare. */
const maxBodyBytes = 16 * 1024;

type ResolverParts = Pick<
  ServerDependencies,
  'resolver' | 'fileChooser' | 'tickets' | 'limits' | 'resolvePage' | 'isWithheld' | 'examples'
>;

/** The client of a resolve request. */
interface ResolveRequester {
  /** The requested host. */
  readonly host: string;
  readonly visitor: Visitor;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
  /** Told of the post that the text names; of a short link at first, and then of its post. */
  readonly asks?: (post: PostReference) => void;
  /** Told how this site's own resolver answered. */
  readonly resolved?: (event: ResolveEvent) => void;
  /** Whether a thin post is read again. */
  readonly again?: boolean | undefined;
}

/**
 * Resolves a pasted text, for the API and for the pages.
 * @param module the requesting page, whose links other servers may resolve; undefined for this site's own resolver
 * @throws Failure
 */
export async function resolveFor(
  parts: ResolverParts,
  text: string,
  module: DownloaderModule | undefined,
  requester: ResolveRequester,
): Promise<ResolveResponse> {
  const { host, signal, visitor, again = false, asks } = requester;
  await parts.limits.resolve(visitor);
  const tables = parts.resolver.links;
  const { link, other } = linksOf(text, tables);
  const post = withoutHandle(link);
  asks?.('id' in post ? post : { platform: post.platform, id: post.code });
  const url = addressOf(link, tables);
  const here = () => resolveHere(parts, text, requester);
  try {
    const result = await (module === undefined
      ? here()
      : parts.resolvePage({ module, host, url: addressOf(post, tables), again, signal }, here));
    // Others may resolve what is taken down here.
    const { platform, id, author } = result.post;
    if (parts.isWithheld({ platform, id, handle: author.handle })) throw new Failure('post_withheld');
    if (result.options.length === 0) throw new Failure('option_missing');
    parts.examples.note(text, null);
    const isAnother =
      other !== null &&
      !('id' in other && other.id === result.post.id && other.platform === result.post.platform);
    return { code: 200, result: isAnother ? { ...result, other_link: addressOf(other, tables) } : result };
  } catch (thrown) {
    const { key, retryAfterS, hint, link: elsewhere = url } = asFailure(thrown);
    parts.examples.note(text, key);
    throw new Failure(key, {
      cause: thrown,
      link: elsewhere,
      ...(retryAfterS !== undefined && { retryAfterS }),
      ...(hint !== undefined && { hint }),
      ...(other !== null && { otherLink: addressOf(other, tables) }),
    });
  }
}

async function resolveHere(
  { resolver, fileChooser, tickets, limits }: ResolverParts,
  text: string,
  { visitor, signal, asks, resolved, again }: ResolveRequester,
): Promise<ResolveResult> {
  const turn = limits.turns(visitor);
  const post = await resolver.resolveText(text, signal, {
    ...{ requester: visitor.block, turn, again, resolved },
    ...(asks && { located: asks }),
  });
  return resolveResult(post, await fileChooser.choose(post, signal, turn), tickets);
}

/** @throws Failure `link_…`, or `request_too_large` when a link may stand behind what is looked at */
function linksOf(text: string, tables: LinkTables): RecognisedLinks {
  try {
    return recogniseLinks(text, tables);
  } catch (thrown) {
    const { key } = asFailure(thrown);
    if (key === 'link_missing' && text.length > maxTextLength)
      throw new Failure('request_too_large', { cause: thrown, hint: 'no_link' });
    const list = key.startsWith('link_') ? recogniseList(text, tables) : null;
    throw list === null ? thrown : new Failure(key, { cause: thrown, link: addressOfList(list, tables) });
  }
}

const querySchema = z.object({ page: z.string().startsWith('/').optional() });

/** The requesting downloader page, by its address without language. @throws Failure when it does not exist */
function requestingPage(query: unknown, configuration: SiteConfiguration): DownloaderModule | undefined {
  const { data, error } = querySchema.safeParse(query);
  if (data !== undefined && data.page === undefined) return undefined;
  const module = data?.page === undefined ? undefined : findModule(configuration, data.page.slice(1));
  if (module === undefined)
    throw new Failure('request_invalid', { cause: error, note: '"page" is no tool page' });
  return module;
}

const retryAfterS = 2;
const overloaded = new Failure('overloaded', { retryAfterS, note: 'too many posts are being read' });

/**
 * Refuses while this process reads more posts than it can, before anything of the request is read: refusing is then
 * cheap enough to leave time for the accepted requests.
 */
const refuseWhileFull =
  ({ readingLimit }: Pick<ServerDependencies, 'readingLimit'>): onRequestHookHandler =>
  (request, reply, next) => {
    if (!readingLimit.isFull) return next();
    request.failure = overloaded;
    void reply
      .code(statuses[overloaded.key])
      .headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language', 'retry-after': retryAfterS })
      .send(errorResponse(overloaded, localeOf(request)));
  };

/** The site's success by how a post was read: a thin one shows that pages do not answer. */
const readOutcomes: Readonly<Record<string, FastifyRequest['readOutcome']>> = {
  ok: 'succeeded',
  thin: 'failed',
};

/** `POST /api/resolve` */
export function resolveEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  const options = {
    ...{ bodyLimit: maxBodyBytes, onRequest: refuseWhileFull(parts) },
    async onResponse(request: FastifyRequest) {
      const { readOutcome } = request;
      if (readOutcome !== null) await parts.counts('posts', request, readOutcome);
    },
  };
  app.post('/api/resolve', options, async (request, reply) => {
    const body = resolveRequest.safeParse(request.body);
    if (!body.success)
      throw new Failure('request_invalid', { cause: body.error, note: 'body is not { "url": string }' });
    const { url, again } = body.data;
    const module = requestingPage(request.query, parts.configuration);
    try {
      const { host, visitor, disconnected: signal } = request;
      const response = await resolveFor(parts, url, module, {
        ...{ host, visitor, signal, again },
        asks(post) {
          request.askedPost = post;
        },
        resolved({ source, outcome }) {
          if (source === 'read') request.readOutcome = readOutcomes[outcome] ?? null;
        },
      });
      return await reply.header('cache-control', 'no-store').send(response);
    } catch (thrown) {
      throw asFailure(thrown);
    }
  });
}
