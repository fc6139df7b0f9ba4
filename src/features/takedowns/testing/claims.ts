import { logKeptYears } from '../takedowns.ts';

/** The promises of texts about takedowns; `tools/messages/claims.ts` explains the fields. */
export const claims = [
  {
    about: 'years of the log of takedowns',
    value: logKeptYears,
    said: /\bkeep a log of what we blocked and unblocked, with links and reasons, for (\d+) years\b/gi,
    where: ['content/legal/privacy-policy/en.md'],
  },
];
