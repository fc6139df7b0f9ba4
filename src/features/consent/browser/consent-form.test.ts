import { expect, test } from 'vitest';
import { readConsentForm } from './consent-form.ts';

test.each([
  ['answer=all', true, true],
  ['answer=none&statistics=1', false, false],
  ['answer=chosen&marketing=1', false, true],
  ['answer=chosen', false, false],
])('%s', (form, statistics, marketing) => {
  expect(readConsentForm(new URLSearchParams(form), ['statistics', 'marketing'])).toEqual({
    statistics,
    marketing,
  });
});

test('nobody agrees to what the form does not ask', () => {
  for (const form of ['answer=all', 'answer=chosen&statistics=1&marketing=1'])
    expect(readConsentForm(new URLSearchParams(form), ['statistics'])).toEqual({
      statistics: true,
      marketing: false,
    });
});

test.each(['', 'answer=', 'answer=yes', 'statistics=1'])('"%s" is not an answer', (form) => {
  expect(readConsentForm(new URLSearchParams(form), ['statistics'])).toBeNull();
});
