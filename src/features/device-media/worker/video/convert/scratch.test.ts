import { expect, test } from 'vitest';
import { openScratch } from './scratch.ts';

/** Node has no private files, as a private window of some browsers. */
test('without private files a video is made in memory, unless it is known to be too large for it', async () => {
  await expect(openScratch('one', 200_000_000)).rejects.toMatchObject({ reason: 'memory' });
  const scratch = await openScratch('one', 1000);
  const kept = await scratch.keep('source', new Blob(['abc']).stream(), () => {});
  expect(await kept.text()).toBe('abc');
});

test('a video whose length is not announced is refused as soon as it is too large', async () => {
  const megabyte = new Uint8Array(1_000_000);
  let [pulled, cancelled] = [0, false];
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(megabyte);
    },
    cancel() {
      cancelled = true;
    },
  });
  const scratch = await openScratch('one', 0);
  await expect(scratch.keep('source', endless, () => {})).rejects.toMatchObject({ reason: 'memory' });
  expect(pulled).toBeLessThan(155);
  expect(cancelled).toBe(true);
});
