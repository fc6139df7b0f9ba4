import { subjects } from '../../../stores/tally/subjects.ts';

/** The promises of texts about the desk; `tools/messages/claims.ts` explains the fields. */
export const claims = [
  {
    about: 'days for which it is kept from where a log-in failed',
    value: subjects.log_in.kept.day,
    said: /\bfirst part of their IP address for (\d+) days\b/gi,
    where: ['content/legal/privacy-policy/en.md'],
  },
];
