import { expect, test } from 'vitest';
import { growthOf, linear } from '../../../../tests/support/growth.ts';
import { redactSentences, withoutSecrets } from './redact.ts';

const redact = redactSentences(withoutSecrets([]), ['https://site.example']);

test.each(['a.', 'a@', "'a", '?a=', '1.', 'a-', ':', 'https://', '@', '“', 'a1'])(
  'an endless text of %s',
  (piece) => {
    const growth = growthOf((scale) => {
      const text = piece.repeat(500 * scale);
      return () => redact(text);
    });
    expect(growth).toBeLessThan(linear);
  },
);
