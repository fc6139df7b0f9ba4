import { startRetentionJob } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { createAuditLog, keptDays } from './audit-log.ts';
import { deskEndpoints } from './endpoints.ts';
import { createCodes } from './log-in/codes.ts';
import { createLogIn } from './log-in/log-in.ts';
import { oneOperator, operatorsOfFile } from './log-in/operators.ts';
import { createPasswordMatch, deskKey, operatorWith } from './log-in/password.ts';
import { createSessions, credentialOf } from './log-in/sessions.ts';
import { createSignedNames } from './log-in/signed-names.ts';
import { createTries } from './log-in/tries.ts';

/** Opens the desk: its log-in, its audit log, and its pages. @param who the one password, or the file of several */
export async function openDesk(
  core: Core,
  who: { readonly password: string } | { readonly file: string },
): Promise<FeatureServer> {
  const { database, tally, secret, rateLimits, logger } = core;
  const { query } = database;
  const key = deskKey(secret, 'sessions');
  const operators =
    'file' in who ? operatorsOfFile(who.file, logger) : oneOperator(await operatorWith(who.password, secret));
  const sessions = createSessions(query, key, operators, Date.now);
  const log = createAuditLog(query, logger, Date.now);
  const tries = createTries(query, tally, Date.now);
  const logIn = createLogIn({
    ...{ operators, sessions, log, tries, rateLimits },
    matches: createPasswordMatch(),
    codes: createCodes(query, Date.now),
    devicesOf: (operator) => createSignedNames(key, `device.${credentialOf(key, operator)}`, Date.now),
  });
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      Promise.all([log.expire(keptDays), log.failLost()]).then(
        ([deleted]) => deleted > 0 && logger.info({ entries: deleted }, 'old entries of the desk deleted'),
        (error: unknown) =>
          logger.error({ err: error }, 'the entries of the desk could not be brought up to date'),
      ),
    logger,
  });
  return {
    routes: (app, parts) => deskEndpoints(app, { parts, core, operators, sessions, logIn, log, tries }),
    legal: { desk: 'yes' },
    close: endDeleting,
  };
}
