import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listRequest } from '../../api/schemas.ts';
import { fileName } from '../../downloader/media/file-names.ts';
import { asSong, type PostList } from '../../downloader/post/post.ts';
import { asFailure, Failure } from '../../failures/failures.ts';
import type { ListResponse, ListResult } from '../../site/api.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { resolveResult } from './answers.ts';
import { sendHeld } from './files/pictures.ts';

/** Posts of a sound that are read until one has it as a file. */
const mostReadings = 3;

/** The posts of a sound, a creator or a hashtag, for `POST /api/list` and for pages without scripts. @throws Failure */
export async function readPlatformList(
  text: string,
  request: Pick<FastifyRequest, 'visitor' | 'disconnected'>,
  parts: ServerDependencies,
): Promise<ListResult> {
  await parts.limits.resolve(request.visitor);
  const turn = parts.limits.turns(request.visitor);
  const list = await parts.resolver.list(text, request.disconnected, turn);
  const { platform, kind, url, title, artist } = list;
  const { addresses } = parts.resolver.links.find((one) => one.platform === platform) ?? {};
  const picture = list.picture === null ? null : `/api/list/picture?url=${encodeURIComponent(url)}`;
  const song = kind === 'sound' ? await findSong(list, request, parts) : null;
  const own = picture !== null && { cover_url: picture, cover_href: picture };
  return {
    ...{ kind, url, title, artist },
    picture_href: picture,
    posts: list.posts.flatMap(({ id, handle }) => addresses?.post(id, handle) ?? []),
    // A sound has its own cover; that of the post which has it shows something else.
    sound: song && { ...song, post: { ...song.post, ...own } },
  };
}

/** The sound itself, from the first of its posts that has it as a file; null where none has. */
async function findSong(
  { platform, posts }: PostList,
  { visitor, disconnected }: Pick<FastifyRequest, 'visitor' | 'disconnected'>,
  { resolver, fileChooser, tickets, limits }: ServerDependencies,
): Promise<ListResult['sound']> {
  const turn = limits.turns(visitor);
  for (const { id } of posts.slice(0, mostReadings)) {
    try {
      const options = { requester: visitor.block, turn };
      const song = asSong(await resolver.resolve({ platform, id }, disconnected, options));
      return resolveResult(song, await fileChooser.choose(song, disconnected, turn), tickets, true);
    } catch (thrown) {
      disconnected.throwIfAborted();
      if (asFailure(thrown).key === 'internal') throw thrown;
    }
  }
  return null;
}

const urlOf = (given: unknown): string => {
  const { data, error } = listRequest.safeParse(given);
  if (data === undefined) throw new Failure('request_invalid', { cause: error, note: 'no "url" of a list' });
  return data.url;
};

/** `POST /api/list` and `GET /api/list/picture` */
export function platformListEndpoints(app: FastifyInstance, parts: ServerDependencies): void {
  app.post('/api/list', { bodyLimit: 16 * 1024 }, async (request, reply) => {
    const result = await readPlatformList(urlOf(request.body), request, parts);
    const response: ListResponse = { code: 200, result };
    return reply.header('cache-control', 'no-store').send(response);
  });

  app.get('/api/list/picture', async (request, reply) => {
    // It may ask the platform, like a look-up.
    await parts.limits.resolve(request.visitor);
    const { visitor, disconnected } = request;
    const list = await parts.resolver.list(urlOf(request.query), disconnected, parts.limits.turns(visitor));
    if (list.picture === null) throw new Failure('option_missing');
    const file = await parts.pictures.picture(list.picture, disconnected);
    const { kind, name } = list;
    const saved = fileName({
      author: kind === 'creator' ? name : kind,
      id: kind === 'creator' ? 'profile' : name,
      extension: 'jpg',
    });
    return sendHeld(file, saved, request, reply);
  });
}
