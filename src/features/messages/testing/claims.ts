import { noticesKeptYears } from '../messages.ts';

/** The promises of texts about messages; `tools/messages/claims.ts` explains the fields. */
export const claims = [
  {
    about: 'years for which copyright notices are kept',
    value: noticesKeptYears,
    said: /\bkeep (?:the )?notices? for (\d+) years\b/gi,
    where: ['content/legal/privacy-policy/en.md', 'content/legal/dmca/en.md'],
  },
];
