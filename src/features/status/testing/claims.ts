import { shownHours, shownIncidentsMs } from '../site-status.ts';

const dayMs = 86_400_000;

/** What texts promise of the status page; `tools/messages/claims.ts` says what the fields mean. */
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
