import type { StoredItem } from './stored-item.ts';

const daySeconds = 86_400;

/** The items that need consent to statistics; separate from the others, because these scripts need only them. */
export const statisticsItems = {
  visitor_guid: { where: 'cookie', lifeS: 365 * daySeconds, kind: 'statistics' },
  finger_id: { where: 'cookie', lifeS: 30 * daySeconds, kind: 'statistics' },
  doc_id: { where: 'cookie', lifeS: daySeconds, kind: 'statistics' },
  visit_timestamp: { where: 'cookie', lifeS: daySeconds, kind: 'statistics' },
  token_id: { where: 'cookie', lifeS: 365 * daySeconds, kind: 'statistics' },
  tmp_token_id: { where: 'cookie', lifeS: 365 * daySeconds, kind: 'statistics' },
  s_id: { where: 'cookie', lifeS: 1800, kind: 'statistics' },
  path_track: { where: 'cookie', lifeS: null, kind: 'statistics' },
  guest_record: { where: 'cookie', lifeS: 30 * daySeconds, kind: 'statistics' },
  email: { where: 'cookie', lifeS: 3650 * daySeconds, kind: 'statistics' },
  waiting_reports: { where: 'localStorage', lifeS: null, kind: 'statistics' },
} as const satisfies Readonly<Record<string, StoredItem>>;
