import { expect, it } from 'vitest';
import { filterGraph } from './encode-video.ts';
import { timeSlides } from './plan.ts';

/** Evaluates the graph's own expression for the time at which picture number `n` is shown. */
function momentOf(graph: string, n: number): number {
  const [, expression = ''] = /setpts='\((.*)\)\/TB'/.exec(graph) ?? [];
  const words = {
    if: (test: number, yes: number, no: number) => (test ? yes : no),
    gte: (one: number, other: number) => Number(one >= other),
    mod: (one: number, other: number) => one % other,
    floor: Math.floor,
  };
  const script = expression.replace(/\bif\(/g, 'iff(');
  return new Function('N', 'iff', 'gte', 'mod', 'floor', `return ${script};`)(
    n,
    words.if,
    words.gte,
    words.mod,
    words.floor,
  );
}

it.each([
  [1, 12],
  [2, null],
  [10, 30],
  [35, 20],
])('shows each of %i pictures alone for a moment, with evenly spaced cuts', (count, soundS) => {
  const timing = timeSlides(count, soundS);
  const { durationS, eachS, fadeS } = timing;
  const graph = filterGraph(count, timing);
  const moments = Array.from({ length: 2 * count + 2 }, (_, n) => momentOf(graph, n));
  expect(moments[0]).toBe(0);
  expect(moments[2 * count - 1]).toBeCloseTo(durationS, 3);
  for (let n = 1; n < count; n += 1) {
    expect(moments[2 * n - 1]).toBeCloseTo(n * eachS - fadeS / 2, 2);
    expect(moments[2 * n]).toBeCloseTo(n * eachS + fadeS / 2, 2);
  }
  expect(moments).toEqual(moments.toSorted((one, other) => one - other));
  expect(graph).toContain(`trim=end=${durationS.toFixed(4)}`);
});
