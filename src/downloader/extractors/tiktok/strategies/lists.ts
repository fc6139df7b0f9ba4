import { z } from 'zod';
import { Failure, type FailureKey } from '../../../../failures/failures.ts';
import { tiktokLinks } from '../../../links/tiktok.ts';
import type { ListReference, PostList } from '../../../post/post.ts';
import { askBest } from '../identities/ask-through.ts';
import { mediaAddress, mediaSource } from '../post/media-addresses.ts';
import { addresses, flag, id, list, shape, text } from '../post/schemas.ts';
import { checkStatus } from '../responses/gates.ts';
import { embedData } from '../responses/page-data.ts';
import { requestThrough, type StrategyOptions } from './one-request.ts';

interface ListOptions extends StrategyOptions {
  readonly egress?: string | undefined;
}

/** The platform lists about eleven posts; more than this would be another page. */
const mostPosts = 20;
const maxBytes = 2_000_000;
const maxName = 300;

const paths = { sound: 'music/', creator: '@', hashtag: 'tag/' } as const;

/** Why a list without posts cannot be shown: the visitor reads what else to do with such a link. */
const withoutPosts = {
  sound: 'link_sound',
  creator: 'link_profile',
  hashtag: 'link_hashtag',
} as const satisfies Record<ListReference['kind'], FailureKey>;

const answerSchema = z.object({
  isError: flag,
  userInfo: shape({ nickname: text, avatarThumbUrl: addresses, privateAccount: flag }),
  embedInfo: shape({ title: text, artist: text, coverUrl: addresses }),
  videoList: list(z.object({ id, authorUniqueId: text, privateItem: flag }), mostPosts),
});

/**
 * Reads the posts of a list from its page for embedding, which shows some eleven and has no further pages.
 * @throws Failure `link_…` for a list without posts, `account_private`, `platform_…`
 */
export function readList(
  reference: ListReference,
  signal: AbortSignal,
  options: ListOptions,
): Promise<PostList> {
  const { network, now, egress } = options;
  const { kind, name } = reference;
  return askBest(options, egress, async (door) => {
    const response = await requestThrough(network, door, 'navigation', {
      url: `https://www.tiktok.com/embed/${paths[kind]}${encodeURIComponent(name)}`,
      ...{ maxBytes, egress, signal },
    });
    checkStatus(response);
    if (response.status === 400) throw new Failure(withoutPosts[kind], { note: 'HTTP 400' });
    const { userInfo, embedInfo, videoList } = answerOf(response.body, kind);
    const posts = videoList
      .filter((post) => post.id !== '' && !post.privateItem)
      .map((post) => ({
        id: post.id,
        handle: handleOf(post.authorUniqueId || (kind === 'creator' ? name : '')),
      }));
    if (posts.length === 0)
      throw new Failure(userInfo?.privateAccount ? 'account_private' : withoutPosts[kind], {
        note: 'a list without posts',
      });
    const session = { userAgent: door.identity.userAgent, cookie: null, egress };
    const pictures = [...(userInfo?.avatarThumbUrl ?? []), ...(embedInfo?.coverUrl ?? [])];
    return {
      ...{ platform: tiktokLinks.platform, kind, name, posts },
      url: tiktokLinks.addresses.list(reference),
      title: clean(userInfo?.nickname || embedInfo?.title || name),
      artist: kind === 'sound' ? clean(embedInfo?.artist ?? '') : '',
      picture: mediaSource(
        pictures.filter((url) => mediaAddress(url) !== null),
        session,
        now(),
      ),
    };
  });
}

function answerOf(body: Buffer, kind: ListReference['kind']): z.output<typeof answerSchema> {
  // The address may have been rewritten; besides the list there is only `strategy`.
  const [, data] = Object.entries(embedData(body)).find(([route]) => route !== 'strategy') ?? [];
  const answer = answerSchema.safeParse(data);
  if (!answer.success)
    throw new Failure('platform_changed', { note: 'no data for the list', cause: answer.error });
  if (answer.data.isError) throw new Failure(withoutPosts[kind], { note: 'the platform has no such list' });
  return answer.data;
}

const handleOf = (name: string) => (/^[\w.-]{1,64}$/.test(name) ? name : '');
const clean = (value: string) => value.slice(0, maxName).toWellFormed().trim();
