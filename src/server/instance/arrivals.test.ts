import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, type Given, Transfer } from './arrivals.ts';

const etag = '"file"';
const whole: Given = { etag, size: 100, start: 0, end: 100 };
const rest = (start: number): Given => ({ ...whole, start });

/** One response from its head to its end. @returns the state afterwards */
function answer(transfer: Transfer, given: Given | null, bytes: number, isFinished = false) {
  const response = transfer.begin();
  response.gives(given);
  response.wrote(bytes);
  response.end(isFinished);
  return [transfer.state, transfer.bytes];
}

test('a whole file is sent', () => {
  expect(answer(new Transfer(), whole, 100, true)).toEqual(['sent', 100]);
});

test('a response that breaks off is no file, also when all of it was written', () => {
  expect(answer(new Transfer(), whole, 60)).toEqual(['broken', 60]);
  expect(answer(new Transfer(), whole, 100)).toEqual(['broken', 99]);
});

test('an error that is sent whole is no file, and takes nothing away of what was sent', () => {
  const transfer = new Transfer();
  expect(answer(transfer, null, 912, true)).toEqual(['broken', 0]);
  answer(transfer, whole, 60);
  expect(answer(transfer, null, 912, true)).toEqual(['broken', 60]);
  expect(answer(transfer, rest(55), 45, true)).toEqual(['sent', 100]);
  expect(answer(transfer, null, 912, true)).toEqual(['sent', 100]);
  expect(answer(transfer, whole, 10)).toEqual(['sent', 100]);
});

test('the rest counts once, and only beside what was sent before it', () => {
  const transfer = new Transfer();
  answer(transfer, whole, 60);
  expect(answer(transfer, rest(70), 30, true)).toEqual(['broken', 90]);
  expect(answer(transfer, rest(50), 50, true)).toEqual(['sent', 100]);
});

test('bytes of another file make none together with those of the first', () => {
  for (const other of [
    { etag: '"other"', size: 100, start: 60, end: 100 },
    { etag, size: 110, start: 60, end: 110 },
  ]) {
    const transfer = new Transfer();
    answer(transfer, whole, 60);
    const { start, end } = other;
    expect(answer(transfer, other, end - start, true)).toEqual(['broken', end - start]);
  }
  const unnamed = new Transfer();
  answer(unnamed, { ...whole, etag: null }, 60);
  expect(answer(unnamed, { ...rest(60), etag: null }, 40, true)).toEqual(['broken', 40]);
});

test('a file of unknown size is sent when its response has ended', () => {
  const unknown: Given = { etag: null, size: null, start: 0, end: null };
  expect(answer(new Transfer(), unknown, 60)).toEqual(['broken', 60]);
  expect(answer(new Transfer(), unknown, 60, true)).toEqual(['sent', 60]);
  expect(answer(new Transfer(), { ...unknown, end: 60 }, 60, true)).toEqual(['broken', 60]);
});

test('it is being sent while a response is under way, whatever became of others', () => {
  const transfer = new Transfer();
  const response = transfer.begin();
  response.gives(whole);
  response.wrote(30);
  expect(answer(transfer, null, 912, true)).toEqual(['sending', 30]);
  response.end(false);
  expect(transfer.state).toBe('broken');
});

test('a million requests for single bytes apart are kept as a few', () => {
  const transfer = new Transfer();
  for (let at = 0; at < 10_000; at += 1)
    answer(transfer, { etag, size: 1_000_000, start: at * 2, end: at * 2 + 1 }, 1, true);
  expect(transfer.bytes).toBeLessThan(100);
});

const size = 6;
const someGiven = fc
  .record({
    etag: fc.constantFrom(etag, etag, '"changed"'),
    start: fc.nat(size - 1),
    length: fc.nat(2 * size),
  })
  .map(
    ({ start, length, ...rest }): Given => ({
      ...rest,
      size,
      start,
      end: Math.min(size, start + length + 1),
    }),
  );
/** One step of many responses, which begin, write and end in any order; `at` says of which. */
const someStep = fc.record({
  does: fc.constantFrom('begins', 'writes', 'breaks', 'ends'),
  given: fc.option(someGiven),
  at: fc.nat(20),
  bytes: fc.nat(size),
});

test('in any order of responses, breaks and errors, sent means that every byte of one file was in its responses', () => {
  let sent = 0;
  const run = fc.property(fc.array(someStep, { minLength: 10, maxLength: 40 }), (steps) => {
    const transfer = new Transfer();
    const running: { answer: Answer; given: Given | null; at: number; end: number }[] = [];
    const written = { [etag]: new Set<number>(), '"changed"': new Set<number>() };
    const ofFinished = new Set<number>();
    let wasSent = false;
    for (const { does, given, at, bytes } of steps) {
      if (does === 'begins') {
        running.push({ answer: transfer.begin(), given, at: given?.start ?? 0, end: given?.end ?? 900 });
        running.at(-1)?.answer.gives(given);
      }
      const one = running[at % Math.max(1, running.length)];
      if (does === 'begins' || one === undefined) continue;
      const next = does === 'ends' ? one.end : Math.min(one.end, one.at + bytes);
      one.answer.wrote(next - one.at);
      const noted = written[one.given?.etag as keyof typeof written];
      for (; one.at < next; one.at += 1) noted?.add(one.at);
      if (does !== 'writes') {
        one.answer.end(does === 'ends');
        running.splice(running.indexOf(one), 1);
      }
      if (does === 'ends' && one.given?.etag === etag)
        for (let byte = one.given.start; byte < one.end; byte += 1) ofFinished.add(byte);

      const isSent = transfer.state === 'sent';
      const isAnyWhole = Object.values(written).some((bytesOf) => bytesOf.size === size);
      expect({ isSent, isAnyWhole }).not.toEqual({ isSent: true, isAnyWhole: false });
      expect(transfer.bytes).toBeLessThanOrEqual(size);
      if (wasSent) expect(isSent).toBe(true);
      if (!isSent) expect(transfer.state).toBe(running.length > 0 ? 'sending' : 'broken');
      wasSent = isSent;
    }
    const isUnchanged = steps.every(({ given }) => given?.etag !== '"changed"');
    if (isUnchanged && ofFinished.size === size) expect(transfer.state).toBe('sent');
    if (wasSent) sent += 1;
  });
  fc.assert(run, { numRuns: 2000 });
  expect(sent).toBeGreaterThan(50);
});
