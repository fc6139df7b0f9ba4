import { fileKey } from '../media/files.ts';
import { imageUrl, type Minting } from '../media/signing.ts';
import { createdAtS } from '../scenarios/ids.ts';
import { POSTS } from '../scenarios/posts.ts';
import type { PostScenario } from '../scenarios/scenario.ts';
import type { Answer } from '../transport/answer.ts';
import { pageJson } from './html.ts';
import { text } from './refusals.ts';

/** Lists show no more. */
const MOST = 11;

/** The id of every post's music; the other one is always busy. */
const MUSIC = '7100000000000000001';
const BUSY_MUSIC = '7100000000000000503';
const PRIVATE_HANDLE = 'below.deck';

const readable = POSTS.filter(({ group }) => group === 'posts');

/** The responses of `/embed/music/{id}`, `/embed/tag/{tag}` and `/embed/@{handle}`; null for another path. */
export function listAnswer(pathname: string, minting: Minting): Answer | null {
  const [, kind = '', name = ''] =
    /^\/embed\/(music\/|tag\/|@)([^/]+)\/?$/.exec(decodeURIComponent(pathname)) ?? [];
  switch (kind) {
    case 'music/': {
      if (name === BUSY_MUSIC) return text(503, 'upstream connect error 503');
      if (name !== MUSIC) return list(pathname, { isError: true, errorStatus: 404 });
      const [first] = readable;
      const { title = '', artist = '' } = first?.post.music ?? {};
      return list(pathname, {
        embedInfo: {
          id: name,
          title,
          artist,
          coverUrl: cover(minting, 'song'),
          videoCount: 1234,
          statusCode: 0,
        },
        videoList: rows(readable),
      });
    }
    case 'tag/': {
      const posts = readable.filter(({ post }) => post.text.split(/\s/).includes(`#${name}`));
      if (posts.length === 0) return list(pathname, { isError: true, errorStatus: 404 });
      return list(pathname, { embedInfo: { id: '1', title: name, statusCode: 0 }, videoList: rows(posts) });
    }
    case '@': {
      const posts = readable.filter(({ post }) => post.handle === name);
      const isPrivate = name === PRIVATE_HANDLE;
      if (posts.length === 0 && !isPrivate) return list(pathname, { isError: true, errorStatus: 404 });
      const nickname = posts[0]?.post.nickname ?? name;
      const avatarThumbUrl = cover(minting, 'cover');
      return list(pathname, {
        userInfo: { uniqueId: name, nickname, avatarThumbUrl, verified: false, privateAccount: isPrivate },
        videoList: rows(posts),
      });
    }
    default:
      return null;
  }
}

const cover = (minting: Minting, what: string) =>
  imageUrl(
    minting,
    'p16-common-sign.tiktokcdn-us.com',
    fileKey(minting.id, what),
    'tplv-tiktokx-origin.image',
  );

const rows = (posts: readonly PostScenario[]) =>
  posts.slice(0, MOST).map(({ id, post }) => ({
    ...{ id, desc: post.text, authorUniqueId: post.handle, createTime: createdAtS(id) },
    ...{ playAddr: '', playCount: 1, privateItem: false, width: 576, height: 1024, ratio: '9:16' },
  }));

function list(pathname: string, data: object): Answer {
  const state = { source: { data: { strategy: { code: 0 }, [pathname]: { isError: false, ...data } } } };
  return text(
    200,
    '<!DOCTYPE html><html><head><title>TikTok embed</title></head><body>' +
      `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${pageJson(state)}</script></body></html>`,
  );
}
