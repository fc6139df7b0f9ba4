import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceOfObject } from './json.ts';

const key = 'webapp.video-detail';
const spaces = fc.constantFrom(undefined, 1, '\t');
const trickyText = fc
  .array(fc.constantFrom('"', '\\', `"${key}":{`, key, '{', '}', '[', ']', ':', ',', 'é', '😀', 'x'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    trickyText,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(
      trickyText.filter((name) => name !== key),
      tie('node'),
      { maxKeys: 4 },
    ),
  ),
})).node;
const scope = fc.dictionary(
  trickyText.filter((name) => name !== key),
  value,
  { maxKeys: 4 },
);

describe('sliceOfObject', () => {
  it('gives what JSON.parse gives, whatever stands around it', () => {
    fc.assert(
      fc.property(
        scope,
        fc.option(scope, { nil: undefined }),
        scope,
        spaces,
        (before, wanted, after, space) => {
          const whole = { ...before, ...(wanted === undefined ? {} : { [key]: wanted }), ...after };
          const text = `prefix ${JSON.stringify({ scope: whole }, null, space)} suffix`;
          const slice = sliceOfObject(text, key, 7, text.length - 7);
          expect(slice === null ? undefined : JSON.parse(slice)).toEqual(
            JSON.parse(JSON.stringify(whole))[key],
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives null for every truncated text', () => {
    const text = JSON.stringify({ a: 'x', [key]: { b: ['}', '"', { c: '\\' }], d: 1 } });
    for (let length = 0; length < text.length - 1; length++)
      expect(sliceOfObject(text.slice(0, length), key, 0, length)).toBeNull();
    expect(sliceOfObject(text, key, 0, text.length - 2)).toBeNull();
    expect(sliceOfObject(text, key, 0, text.length)).not.toBeNull();
  });

  it('takes linear time on long runs of backslashes and quotes', () => {
    const text = `{"${key}":{"a":"${'\\'.repeat(400_000)}","b":"${'\\"'.repeat(200_000)}"}}`;
    const start = performance.now();
    expect(sliceOfObject(text, key, 0, text.length)?.length).toBe(text.length - key.length - 5);
    expect(performance.now() - start).toBeLessThan(300);
  });
});
