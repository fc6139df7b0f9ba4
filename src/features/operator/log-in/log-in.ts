import { Failure } from '../../../failures/failures.ts';
import type { RateLimits } from '../../../server/http/limits/rate-limits.ts';
import type { Visitor } from '../../../server/http/visitor/visitor.ts';
import type { AuditLog } from '../audit-log.ts';
import type { Password } from './password.ts';
import type { Sessions } from './sessions.ts';
import type { SignedNames } from './signed-names.ts';
import type { TryStore } from './tries.ts';

/** How a log-in ended. */
export type LogInOutcome =
  | {
      readonly kind: 'in';
      /** Texts of the cookies. */
      readonly session: string;
      readonly device: string;
    }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'limited'; readonly retryAfterS: number };

interface Attempt {
  readonly password: string;
  readonly visitor: Visitor;
  /** From where, as the log says it. */
  readonly block: string;
  /** Text of the cookie that a device has since its last log-in. */
  readonly device: string | null;
}

interface LogInParts {
  readonly password: Password;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly devices: SignedNames;
  readonly log: Pick<AuditLog, 'add'>;
  readonly tries: Pick<TryStore, 'count'>;
  readonly rateLimits: RateLimits;
}

/** In so many seconds a block has as many tries as follow, and all blocks together eight times as many. */
const periodS = 600;
const triesOfBlock = 10;

export const deviceMs = 90 * 86_400_000;

/** What all address blocks together are counted under. */
const everybody = 'all';

/**
 * Makes what lets the operator in. Strangers who guess use up the tries of their block and of everybody: a device that
 * has logged in before has tries of its own, so that nobody shuts the operator out.
 */
export function createLogIn({ password, sessions, devices, log, tries, rateLimits }: LogInParts) {
  const ofStrangers = rateLimits.create('operator-log-in', triesOfBlock, periodS);
  const ofDevices = rateLimits.create('operator-device', triesOfBlock, periodS);

  return async ({ password: given, visitor, block, device }: Attempt): Promise<LogInOutcome> => {
    const known = devices.read(device);
    try {
      await (known === null
        ? ofStrangers({ key: visitor.block, block: everybody })
        : ofDevices({ key: known.name, block: known.name }));
      if (!(await password.matches(given))) {
        tries.count(block, 'failed');
        return { kind: 'wrong' };
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.retryAfterS === undefined) throw thrown;
      tries.count(block, 'limited');
      return { kind: 'limited', retryAfterS: thrown.retryAfterS };
    }
    const session = await sessions.begin(block);
    await log.add({ what: 'log-in', object: '', block, outcome: 'done', text: '' });
    return { kind: 'in', session, device: devices.make(deviceMs).text };
  };
}
