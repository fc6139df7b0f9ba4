import { expect, test, vi } from 'vitest';
import { type Run, type RunPost, waitingPost } from './run.ts';
import type { RunStore } from './run-store.ts';
import { zipTarget } from './targets.ts';

vi.mock('../../../site/browser/downloads/hand-over.ts', () => ({ handOverMade() {} }));

const run: Run = { begunAt: 0, format: 'mp4', folder: null, name: 'site', zips: 0, template: null };
const textOf = async (zip: File | undefined) => new TextDecoder('latin1').decode(await zip?.arrayBuffer());

test('files fill one zip after the other, and the last list names the zip of each', async () => {
  const files = new Map<string, Blob>();
  let posts: RunPost[] = [1, 2, 3].map((n, at) =>
    waitingPost({ link: `${n}`, section: 'likes', date: null }, at),
  );
  const merge = (changed: readonly RunPost[]) => {
    posts = posts.map((post) => changed.find(({ n }) => n === post.n) ?? post);
  };
  const store = {
    async put(post, saved = []) {
      merge([post]);
      for (const { path, bytes } of saved) if (bytes !== undefined) files.set(path, bytes);
    },
    file: async (path) => files.get(path) ?? new Blob(),
    async zipped(_, packed) {
      for (const post of packed) for (const path of post.files) files.delete(path);
    },
  } satisfies Partial<RunStore> as Partial<RunStore> as RunStore;
  const zips: File[] = [];
  const target = zipTarget({
    run,
    posts,
    store,
    onZip: (zip) => zips.push(zip),
    onZipped: merge,
    maxBytes: 10,
  });
  const all = () => posts;
  for (const post of [...posts]) {
    const path = `${post.n}.mp4`;
    const file = await target.save(path, new Response('six by'), new AbortController().signal);
    await target.commit({ ...post, state: 'saved', files: [path], bytes: file.size }, [file]);
    await target.settle(all, 'post');
  }
  expect(zips.map(({ name }) => name)).toEqual(['site-1.zip']);
  await target.settle(all, 'end');
  expect(zips.map(({ name }) => name)).toEqual(['site-1.zip', 'site-2.zip']);
  expect(posts.map(({ zip }) => zip)).toEqual([1, 1, 2]);
  expect(files.size).toBe(0);
  const [first, second] = await Promise.all(zips.map(textOf));
  expect([first, second].map((text) => text?.match(/\d\.mp4(?=six by)/g))).toEqual([
    ['1.mp4', '2.mp4'],
    ['3.mp4'],
  ]);
  const list = /posts\.json(\[.*?\n\])/s.exec(second ?? '')?.[1] ?? '';
  expect((JSON.parse(list) as RunPost[]).map(({ zip }) => zip)).toEqual([1, 1, 2]);
});
