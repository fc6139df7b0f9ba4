import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import type { Post, PostReference } from '../../downloader/post/post.ts';
import type { PostResolver } from '../../downloader/posts/resolver.ts';
import { createRunningDownloads } from './running-downloads.ts';

const forever = new AbortController().signal;
const reference = (id: string): PostReference => ({ platform: 'tiktok', id });

/** Downloads of posts by authors with these handles. */
function start() {
  const withheld = new Set<string>();
  const downloads = createRunningDownloads({ info() {} });
  const stop = () =>
    downloads.stop(({ id, handle }) => withheld.has(id) || (handle !== null && withheld.has(handle)));
  function download(id: string, handle: string) {
    const response = Object.assign(new EventEmitter(), { destroy: vi.fn() });
    const resolver = { resolve: async () => ({ id, author: { handle } }) as Post } as Partial<PostResolver>;
    const noting = downloads.track(
      reference(id),
      response as unknown as ServerResponse,
      resolver as PostResolver,
    );
    return { response, read: () => noting.resolve(reference(id), forever) };
  }
  return { withheld, stop, download };
}

test('ends a download when its author is taken down, and no other', async () => {
  const { withheld, stop, download } = start();
  const [ones, others] = [download('1', 'one'), download('2', 'other')];
  await Promise.all([ones.read(), others.read()]);
  withheld.add('one');
  stop();
  expect(ones.response.destroy).toHaveBeenCalledOnce();
  expect(others.response.destroy).not.toHaveBeenCalled();
});

test('does not send a post that is taken down while it is read, also before its first bytes', async () => {
  const { withheld, stop, download } = start();
  const [ones, others] = [download('1', 'one'), download('2', 'other')];
  withheld.add('one').add('2');
  stop();
  expect(ones.response.destroy).not.toHaveBeenCalled();
  expect(others.response.destroy).toHaveBeenCalledOnce();
  await ones.read();
  expect(ones.response.destroy).toHaveBeenCalledOnce();
});

test('forgets ended downloads', async () => {
  const { withheld, stop, download } = start();
  const { response, read } = download('1', 'one');
  response.emit('close');
  await read();
  withheld.add('one').add('1');
  stop();
  expect(response.destroy).not.toHaveBeenCalled();
});
