import { randomUUID } from 'node:crypto';
import type { Report } from '../report.ts';

/** A report of a page view, with the given fields. */
export const reportFor = (changes: Partial<Report>): Report => ({
  uploadId: randomUUID(),
  madeAt: 0,
  mode: 'page_view',
  token: 'a-visitor',
  session: 'a-visit',
  page: 'index',
  locale: 'en',
  device: 'desktop',
  browser: 'chrome',
  system: 'linux',
  isFirstOfDay: false,
  isFirstOfVisit: false,
  isVisitCounted: true,
  payload: {},
  ...changes,
});
