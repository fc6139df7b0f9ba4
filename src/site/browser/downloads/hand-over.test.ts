import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ArrivalResponse } from '../../api.ts';
import { watchArrival } from './hand-over.ts';

type State = ArrivalResponse['result']['state'];

let answers: (readonly [State, number])[];
const reported: string[] = [];
let looks: number;
let lookAgain: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  reported.length = 0;
  looks = 0;
  vi.stubGlobal('fetch', async () => {
    looks += 1;
    const [state, bytes] = (answers.length > 1 ? answers.shift() : answers[0]) ?? ['unknown', 0];
    return Response.json({ code: 200, result: { state, bytes } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function watch(given: typeof answers, ms = 300_000): Promise<string[]> {
  answers = given;
  const { signal } = new AbortController();
  lookAgain = watchArrival('/api/files/x/arrival?press=y', signal, (arrival) => reported.push(arrival));
  await vi.advanceTimersByTimeAsync(ms);
  return reported;
}

test.each<[string, typeof answers, string[]]>([
  [
    'all of it',
    [
      ['sending', 10],
      ['sent', 20],
    ],
    ['saved'],
  ],
  [
    'a part',
    [
      ['sending', 10],
      ['broken', 15],
    ],
    ['broken'],
  ],
  [
    'the rest, which the browser asks for after a break',
    [
      ['sending', 10],
      ['broken', 15],
      ['sending', 15],
      ['sent', 30],
    ],
    ['broken', 'arriving', 'saved'],
  ],
  [
    'a part, and an answer that this instance knows nothing of',
    [
      ['broken', 15],
      ['unknown', 0],
    ],
    ['broken'],
  ],
  ['nothing', [['sending', 0]], ['late']],
  ['nothing that this instance knows of', [['unknown', 0]], ['late']],
  [
    'something after a while',
    [
      ['sending', 0],
      ['sending', 0],
      ['sending', 0],
      ['sending', 0],
      ['sending', 9],
      ['sent', 9],
    ],
    ['late', 'arriving', 'saved'],
  ],
])('a file arrives: %s', async (_, given, expected) => {
  expect(await watch(given)).toEqual(expected);
});

test('reports no delay before eight seconds', async () => {
  expect(await watch([['unknown', 0]], 7999)).toEqual([]);
});

test('nothing arrives without a network, and no error is thrown', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  expect(await watch([])).toEqual(['late']);
});

test('looks often again when told that the file is about to end, and no more when it is saved', async () => {
  await watch([['sending', 9]], 70_000);
  const seldom = looks;
  lookAgain();
  await vi.advanceTimersByTimeAsync(3000);
  expect(looks).toBe(seldom + 2);
  answers = [['sent', 9]];
  await vi.advanceTimersByTimeAsync(300_000);
  expect([reported.at(-1), looks]).toEqual(['saved', seldom + 3]);
});
