import { expect, test } from 'vitest';
import { readExactly } from '../joining/feed.ts';
import { setUpJoining, sourceOf } from '../joining/testing/join-fixture.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import { fakeMp4 } from '../streaming/testing/media-server.ts';
import { SpanFeed } from './span-feed.ts';

const servers = setUpJoining();
const { signal } = new AbortController();
const file = fakeMp4(1_500_000);

test.each([
  ['asks for each of its spans', false, ['0-9', '5000-5999', '700000-700999', '1400000-1400999']],
  ['asks a server that ignores ranges once', true, ['0-9', '5000-1400999']],
])('%s', async (_, ignoreRange, ranges) => {
  servers.serve({ picture: file, sound: file }, { picture: () => ({ ignoreRange }) });
  const source = new ResumableSource({ network: servers.network, source: sourceOf('picture') });
  await byteSourceOf(source).read(0, 10, signal);
  const starts = [5000, 700_000, 1_400_000] as const;
  const [first, ...later] = starts.map((start) => ({ start, end: start + 1000 }));
  const feed = await SpanFeed.open(source, [first ?? { start: 0, end: 0 }, ...later], signal);
  for (const start of starts) {
    await feed.skipTo(start);
    expect((await readExactly(feed, 1000)).equals(file.subarray(start, start + 1000))).toBe(true);
  }
  feed.stop();
  expect(servers.asked.map(({ range }) => range)).toEqual(ranges.map((range) => `bytes=${range}`));
});
