import { logKeptYears } from '../takedowns.ts';

/** The promises of texts about takedowns; `tools/messages/claims.ts` explains the fields. */
export const claims = [
  {
    about: 'years of the log of takedowns',
    value: logKeptYears,
    said: /\bfor (\d+) years, and for as long a log of what was blocked\b/gi,
    where: ['content/legal/privacy-policy/en.md'],
  },
];
