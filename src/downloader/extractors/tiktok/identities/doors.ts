import type { HttpVersion } from '../../../network/contracts.ts';
import type { Identity } from './identity.ts';

/** An identity with one of its HTTP versions: what the gate lets in, or not. */
export interface Door {
  readonly identity: Identity;
  readonly http: HttpVersion;
}

/** What a request through a door brought. */
export type DoorOutcome =
  /** The post with its encodings, or a refusal of the post itself. */
  | 'whole'
  /** The post without its encodings. */
  | 'plain'
  /** A challenge, a shell, a stub, a log-in page, 403. */
  | 'shut';

/** What an operator sees of a door, over all egresses. */
export interface DoorState extends Door {
  readonly answered: number;
  readonly refused: number;
  /** Shut on every egress on which it was tried lately. */
  readonly isShut: boolean;
}

const worth: Readonly<Record<DoorOutcome, number>> = { whole: 1, plain: 0.6, shut: 0 };

/** Weight of the latest outcome: an opened door counts at once, and one that shuts is believed after two. */
const weight = { better: 0.7, worse: 0.5 };

/** Another door is tried beside one post in so many: more often while none gives whole posts. */
const exploreEvery = { whole: 20, plain: 10 };

/** A share below this counts as shut: one refusal is enough where nothing was answered. */
const shutBelow = 0.3;

interface Experience {
  readonly door: Door;
  /** Share of success, from 0 to 1: what was met lately weighs most. */
  share: number;
  answered: number;
  refused: number;
  /** Number of the request at which it was tried last. */
  triedAt: number;
}

/**
 * Remembers on each egress which doors are open, and says in which order to try them. It has no clock: what counts is
 * the number of requests, so that a quiet site remembers as long as a busy one.
 */
export class Doors {
  readonly #doors: readonly Door[];
  /** By egress. */
  readonly #records = new Map<string | undefined, Experience[]>();
  #requests = 0;
  readonly #sinceExplored = new Map<string | undefined, number>();

  /** @param identities best first */
  constructor(identities: readonly Identity[]) {
    // Each identity with its best version first, then the others.
    const versions = Math.max(...identities.map(({ http }) => http.length));
    this.#doors = Array.from({ length: versions }, (_, rank) =>
      identities.flatMap((identity) => {
        const http = identity.http[rank];
        return http === undefined ? [] : [{ identity, http }];
      }),
    ).flat();
  }

  /** The best door that was not tried for this post: one of another kind before one of the same. Null when none is left. */
  next(egress: string | undefined, tried: readonly Door[]): Door | null {
    const left = this.#of(egress).filter(({ door }) => !tried.includes(door));
    const rank = ({ door, share }: Experience) => {
      const sameKind = tried.some(({ identity }) => identity.kind === door.identity.kind);
      const sameHttp = tried.some(({ http }) => http === door.http);
      return share - (sameKind ? 0.3 : 0) - (sameHttp ? 0.01 : 0);
    };
    return best(left, rank)?.door ?? null;
  }

  /**
   * A door to try beside a post that was read, to find out whether it has opened or shut; null for most posts. It is the
   * one of another kind that was not tried for longest.
   */
  explore(egress: string | undefined, used: Door, outcome: DoorOutcome): Door | null {
    const since = (this.#sinceExplored.get(egress) ?? 0) + 1;
    const isDue = outcome !== 'shut' && since >= exploreEvery[outcome];
    this.#sinceExplored.set(egress, isDue ? 0 : since);
    if (!isDue) return null;
    const others = this.#of(egress).filter(({ door }) => door.identity.kind !== used.identity.kind);
    return best(others, ({ triedAt }) => -triedAt)?.door ?? null;
  }

  report(egress: string | undefined, door: Door, outcome: DoorOutcome): void {
    const record = this.#of(egress).find((one) => one.door === door);
    if (record === undefined) return;
    const value = worth[outcome];
    record.share += (value > record.share ? weight.better : weight.worse) * (value - record.share);
    record.triedAt = this.#requests += 1;
    if (outcome === 'shut') record.refused += 1;
    else record.answered += 1;
  }

  states(): readonly DoorState[] {
    const all = [...this.#records.values()];
    return this.#doors.map((door, index) => {
      const records = all.flatMap((list) => list[index] ?? []);
      const tried = records.filter(({ triedAt }) => triedAt > 0);
      return {
        ...door,
        answered: records.reduce((sum, { answered }) => sum + answered, 0),
        refused: records.reduce((sum, { refused }) => sum + refused, 0),
        isShut: tried.length > 0 && tried.every(({ share }) => share < shutBelow),
      };
    });
  }

  #of(egress: string | undefined): Experience[] {
    const known = this.#records.get(egress);
    if (known !== undefined) return known;
    // Untried doors are expected to be half open, the first of the list a little more.
    const list = this.#doors.map(
      (door, index): Experience => ({ door, share: 0.5 - index / 100, answered: 0, refused: 0, triedAt: 0 }),
    );
    this.#records.set(egress, list);
    return list;
  }
}

function best<T>(all: readonly T[], rank: (one: T) => number): T | null {
  let found: T | null = null;
  for (const one of all) if (found === null || rank(one) > rank(found)) found = one;
  return found;
}
