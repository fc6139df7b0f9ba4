import { asFailure, type FailureKey } from '../../../../failures/failures.ts';
import { isPlatformError } from '../../probed-breaker.ts';
import type { ReadingObserver } from '../../readings.ts';
import type { Door, DoorOutcome, Doors } from './doors.ts';

/** The doors of one strategy. */
export interface StrategyDoors {
  /** The strategy's name behind its platform's: `tiktok/page`. */
  readonly strategy: string;
  readonly doors: Doors;
  /** Told of each request and how it ended. */
  readonly asked?: ReadingObserver['asked'] | undefined;
}

const shutKeys: ReadonlySet<FailureKey> = new Set([
  'platform_blocked',
  'platform_failed',
  'post_login_required',
]);

/** Asks through the best door. @throws what `ask` throws */
export function askBest<T>(
  options: StrategyDoors,
  egress: string | undefined,
  ask: (door: Door) => Promise<T>,
): Promise<T> {
  const door = options.doors.next(egress, []);
  if (door === null) throw new RangeError('a strategy needs an identity');
  return askThrough(options, door, egress, () => ask(door));
}

/**
 * Asks through a door, and remembers how that went.
 * @param outcomeOf judges a result; a whole answer by default
 * @throws what `ask` throws
 */
export async function askThrough<T>(
  { strategy, doors, asked }: StrategyDoors,
  door: Door,
  egress: string | undefined,
  ask: () => Promise<T>,
  outcomeOf: (result: T) => DoorOutcome = () => 'whole',
): Promise<T> {
  const { userAgent: agent } = door.identity;
  try {
    const result = await ask();
    doors.report(egress, door, outcomeOf(result));
    asked?.({ strategy, agent, egress, outcome: 'ok' });
    return result;
  } catch (thrown) {
    const failure = asFailure(thrown);
    // Aborted calls and our own errors do not count.
    if (failure.key === 'internal') throw thrown;
    asked?.({ strategy, agent, egress, outcome: failure.key });
    if (shutKeys.has(failure.key)) doors.report(egress, door, 'shut');
    // A refusal of the post is an answer.
    else if (!isPlatformError(failure)) doors.report(egress, door, 'whole');
    throw thrown;
  }
}
