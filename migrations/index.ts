import { content } from './0001-content.ts';
import { visitors } from './0002-visitors.ts';
import { imports } from './0003-imports.ts';
import { statistics } from './0004-statistics.ts';
import { push } from './0005-push.ts';
import { promotedPictures } from './0006-promoted-pictures.ts';
import { acknowledgements } from './0007-acknowledgements.ts';
import { bounds } from './0008-bounds.ts';
import { platforms } from './0009-platforms.ts';
import { apiKeys } from './0010-api-keys.ts';
import { status } from './0011-status.ts';
import { operator } from './0012-operator.ts';
import { deskDeeds } from './0013-desk-deeds.ts';
import { figures } from './0014-figures.ts';
import { alarms } from './0015-alarms.ts';
import { unpublished } from './0016-unpublished.ts';
import { tally } from './0017-tally.ts';
import { outbox } from './0018-outbox.ts';
import { backups } from './0019-backups.ts';
import { namedOperators } from './0020-named-operators.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema, the oldest first. Steps are added at the end and never changed. */
export const migrations: readonly Migration[] = [
  content,
  visitors,
  imports,
  statistics,
  push,
  promotedPictures,
  acknowledgements,
  bounds,
  platforms,
  apiKeys,
  status,
  operator,
  deskDeeds,
  figures,
  alarms,
  unpublished,
  tally,
  outbox,
  backups,
  namedOperators,
];
