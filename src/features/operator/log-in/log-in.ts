import type { Kysely } from 'kysely';
import { Failure } from '../../../failures/failures.ts';
import type { RateLimits } from '../../../server/http/limits/visitor-limits.ts';
import type { Visitor } from '../../../server/http/visitor/visitor.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Tally } from '../../../stores/tally/tally.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { unitOf } from '../../../stores/tally/units.ts';
import type { AuditLog } from '../audit-log.ts';
import type { Codes, MatchPassword } from './credentials.ts';
import type { Operator, Operators } from './operators.ts';
import type { Sessions, SignedNames } from './sessions.ts';

interface Attempt {
  /** The operator's; ignored where there is only one. */
  readonly name: string;
  readonly password: string;
  /** The second factor's; empty for an operator without one. */
  readonly code: string;
  readonly visitor: Visitor;
  /** Address block, for the log. */
  readonly block: string;
  /** Text of the cookie that a device has since its last log-in. */
  readonly device: string | null;
}

interface LogInParts {
  readonly operators: Operators;
  readonly matches: MatchPassword;
  readonly codes: Codes;
  readonly sessions: Pick<Sessions, 'begin'>;
  /** Devices on which an operator has logged in. */
  readonly devicesOf: (operator: Operator) => SignedNames;
  readonly log: Pick<AuditLog, 'add'>;
  readonly tries: Pick<TryStore, 'count'>;
  readonly rateLimits: RateLimits;
}

/** Tries of an address block in a period; all blocks together have eight times as many. */
const periodS = 600;
const triesOfBlock = 10;
/** Codes after the right password: whoever has stolen it guesses one of 300,000 codes, and needs years. */
const codesOfOperator = 10;
const codesPeriodS = 3600;

export const deviceMs = 90 * 86_400_000;

/** Key of the count of all address blocks together. */
const everybody = 'all';

const entryOf = ({ name }: Operator, block: string) => ({
  what: 'log-in',
  object: '',
  operator: name,
  block,
});

/**
 * Makes the log-in. Strangers who guess use up the tries of their block and of everybody: a device that
 * has logged in before has tries of its own, so that nobody shuts the operator out.
 */
export function createLogIn(parts: LogInParts) {
  const { operators, matches, codes, sessions, devicesOf, log, tries, rateLimits } = parts;
  const ofStrangers = rateLimits.create('operator-log-in', triesOfBlock, periodS);
  const ofDevices = rateLimits.create('operator-device', triesOfBlock, periodS);
  const ofCodes = rateLimits.create('operator-code', codesOfOperator, codesPeriodS);

  async function operatorNamed(name: string): Promise<Operator | null> {
    const all = await operators.all();
    const typed = name.trim().normalize('NFC');
    return (operators.areNamed ? all.find((one) => one.name === typed) : all[0]) ?? null;
  }

  /** @returns whose log-in it is; null for a wrong one. @throws Failure where a limit is reached */
  async function recognise(attempt: Attempt): Promise<Operator | null> {
    const { name, password, code, visitor, block, device } = attempt;
    const operator = await operatorNamed(name);
    const known = operator === null ? null : devicesOf(operator).read(device);
    await (known === null
      ? ofStrangers({ key: visitor.block, block: everybody })
      : ofDevices({ key: known.name, block: known.name }));
    if (!(await matches(operator, password)) || operator === null) return null;
    if (operator.codeKey === null) return operator;
    const counted = known?.name ?? operator.name;
    await ofCodes({ key: counted, block: counted });
    if (await codes.take(operator.name, operator.codeKey, code)) return operator;
    const text = 'The password was right, and the code was wrong or had been used.';
    await log.add({ ...entryOf(operator, block), outcome: 'refused', text });
    return null;
  }

  return async (attempt: Attempt) => {
    const { block } = attempt;
    let operator: Operator | null;
    try {
      operator = await recognise(attempt);
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.retryAfterS === undefined) throw thrown;
      tries.count(block, 'limited');
      return { kind: 'limited', retryAfterS: thrown.retryAfterS } as const;
    }
    if (operator === null) {
      tries.count(block, 'failed');
      return { kind: 'wrong' } as const;
    }
    const session = await sessions.begin(block, operator);
    await log.add({ ...entryOf(operator, block), outcome: 'done', text: '' });
    // Texts of the cookies.
    return { kind: 'in', session, device: devicesOf(operator).make(deviceMs).text } as const;
  };
}

/** The address blocks of a day that have rows of their own; all others have one together. */
const mostBlocks = 50;
const others = 'others';

/** Counts log-ins that failed: sums, since they can be a million. */
type TryStore = ReturnType<typeof createTries>;

/** @param now milliseconds since 1970 */
export function createTries(query: Kysely<Tables>, tally: Tally, now: () => number) {
  const store = createTallyStore(query, now);
  let today = 0;
  let blocks = new Set<string>();

  return {
    count(block: string, kind: 'failed' | 'limited') {
      const day = unitOf('day', now());
      if (day !== today) [today, blocks] = [day, new Set()];
      if (blocks.size < mostBlocks) blocks.add(block);
      tally.add('log_in', blocks.has(block) ? block : others, kind);
    },
    /** By day and address block, the newest days first: with a wrong password, and refused before it was looked at. */
    async list(limit: number) {
      const sums = await store.sums({
        ...{ subject: 'log_in', unit: 'day', from: 0, by: ['at', 'name'], details: ['failed'] },
      });
      return sums
        .map(({ at, name, total, part, lastAt }) => ({
          ...{ day: at, block: name, failed: part, limited: total - part, lastAt },
        }))
        .sort((one, other) => other.day - one.day || other.lastAt - one.lastAt)
        .slice(0, limit);
    },
  };
}
