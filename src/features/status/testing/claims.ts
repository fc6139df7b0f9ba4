import { shownHours, shownIncidentsMs } from '../site-status.ts';

const dayMs = 86_400_000;

/** The promises of texts about the status page; `tools/claims.test.ts` checks them. */
export const claims = [
  {
    about: 'hours that the status page shows',
    value: shownHours,
    said: /\blast (\d+) hours\b/gi,
    where: ['status:share', 'status:hours', 'api:errors.site', 'content/legal/about/en.md'],
  },
  {
    about: 'days that the status page shows incidents',
    value: shownIncidentsMs / dayMs,
    said: /\blast (\d+) days\b/gi,
    where: ['status:incidents.none'],
  },
];
