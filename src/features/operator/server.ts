import { startRetentionJob } from '../../process/retention-job.ts';
import { createClockCheck } from '../../process/steady-clock.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { createAuditLog, keptDays } from './audit-log.ts';
import { deskEndpoints } from './endpoints.ts';
import { createLogIn } from './log-in/log-in.ts';
import { openPassword } from './log-in/password.ts';
import { createSessions } from './log-in/sessions.ts';
import { createSignedNames } from './log-in/signed-names.ts';
import { createTries } from './log-in/tries.ts';

/** Opens the desk: its log-in, its audit log, and its pages. */
export async function openDesk(core: Core, plain: string): Promise<FeatureServer> {
  const { database, tally, secret, rateLimits, logger } = core;
  const { query } = database;
  const password = await openPassword(plain, secret);
  const sessions = createSessions(query, password.sessionKey, Date.now);
  const log = createAuditLog(query, logger, Date.now);
  const tries = createTries(query, tally, Date.now);
  const logIn = createLogIn({
    ...{ password, sessions, log, tries, rateLimits },
    devices: createSignedNames(password.sessionKey, 'device', Date.now),
  });
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      Promise.all([log.expire(keptDays), log.failLost()]).then(
        ([deleted]) => deleted > 0 && logger.info({ entries: deleted }, 'old entries of the desk deleted'),
        (error: unknown) =>
          logger.error({ err: error }, 'the entries of the desk could not be brought up to date'),
      ),
    isClockSteady: createClockCheck({ wallNow: Date.now, monotonicNow: () => performance.now() }),
    logger,
  });
  return {
    routes: (app, parts) => deskEndpoints(app, { parts, core, sessions, logIn, log, tries }),
    legal: { desk: 'yes' },
    close: endDeleting,
  };
}
