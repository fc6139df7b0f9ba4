import { expect, test } from 'vitest';
import { growthOf, linear } from '../../../tests/support/growth.ts';
import { readCaptions } from './caption-files.ts';

const pieces = ['<', '&', '0:', '00:00:00.000 --> ', '-->', '{"utterances":[', '\n1'];

test.each(pieces)('captions of %j', (piece) => {
  const growth = growthOf((scale) => {
    const text = piece.repeat((scale * 1000) / piece.length);
    return () => void readCaptions(text);
  });
  expect(growth).toBeLessThan(linear);
});
