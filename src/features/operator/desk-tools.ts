import type { Core } from '../../server/feature.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { createAuditLog } from './audit-log.ts';
import { createCodes, createPasswordMatch, deskKey, operatorWith } from './log-in/credentials.ts';
import { createLogIn, createTries } from './log-in/log-in.ts';
import { oneOperator, operatorsOfFile } from './log-in/operators.ts';
import { createSessions, createSignedNames, credentialOf } from './log-in/sessions.ts';

/** What the desk's addresses and its own pages work with. */
export type DeskTools = Awaited<ReturnType<typeof openDeskTools>> & { readonly parts: ServerDependencies };

/** The one password of the desk, or the file of its operators. */
export type WhoOperates = { readonly password: string } | { readonly file: string };

/** Opens the log-in and the audit log. */
export async function openDeskTools(core: Core, who: WhoOperates) {
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
  return { core, operators, sessions, log, tries, logIn };
}
