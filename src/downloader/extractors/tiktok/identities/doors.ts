import type { HttpVersion } from '../../../network/contracts.ts';
import type { Identity } from './identity.ts';

/** An identity with one of its HTTP versions: what the gate lets in, or not. */
export interface Door {
  readonly identity: Identity;
  readonly http: HttpVersion;
}

/** The outcome of a request through a door. */
export type DoorOutcome =
  /** The post with its encodings, or a refusal of the post itself. */
  | 'whole'
  /** The post without its encodings. */
  | 'plain'
  /** A challenge, a shell, a stub, a log-in page, 403. */
  | 'shut';

/** A door over all egresses, for the operator. */
export interface DoorState extends Door {
  readonly answered: number;
  readonly refused: number;
  /** Shut on every egress on which it was tried lately. */
  readonly isShut: boolean;
}

const kinds: readonly Identity['kind'][] = ['desktop', 'phone', 'honest'];

const worth: Readonly<Record<DoorOutcome, number>> = { whole: 1, plain: 0.6, shut: 0 };

/** Weight of the latest outcome: an opened door counts at once, and one that shuts is believed after two. */
const weight = { better: 0.7, worse: 0.5 };

/** A kind of identity that is not known to answer is tried again beside one post after so many. */
const exploreAfter = 22;

/** A share below this counts as shut: one refusal is enough where nothing was answered. */
const shutBelow = 0.3;

interface Experience {
  readonly door: Door;
  /** Share of success, from 0 to 1: what was met lately weighs most. */
  share: number;
  answered: number;
  refused: number;
  /** Number of posts that were read on its egress when it was tried last. */
  triedAt: number;
}

/** The doors' outcomes on one egress. */
interface EgressRecord {
  readonly experiences: readonly Experience[];
  posts: number;
}

/**
 * Remembers on each egress which doors are open, and says in which order to try them. It has no clock: what counts is
 * the number of posts, so that a quiet site remembers as long as a busy one.
 */
export class Doors {
  readonly #doors: readonly Door[];
  /** Key: the egress. */
  readonly #records = new Map<string | undefined, EgressRecord>();

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
    // Equal doors are tried in turn: the one that has waited longest first.
    const left = this.#of(egress)
      .experiences.filter(({ door }) => !tried.includes(door))
      .toSorted((one, other) => one.triedAt - other.triedAt);
    const rank = ({ door, share }: Experience) => {
      const sameKind = tried.some(({ identity }) => identity.kind === door.identity.kind);
      const sameHttp = tried.some(({ http }) => http === door.http);
      return share - (sameKind ? 0.3 : 0) - (sameHttp ? 0.01 : 0);
    };
    return best(left, rank)?.door ?? null;
  }

  /**
   * Counts a post that was read through a door. @returns a door to try beside it, to find out whether it has opened; null
   * for most posts. Kinds that are known to answer need no trial: a post that finds one shut goes on to the next.
   */
  explore(egress: string | undefined, used: Door): Door | null {
    const record = this.#of(egress);
    record.posts += 1;
    for (const kind of kinds) {
      const ofKind = record.experiences.filter(({ door }) => door.identity.kind === kind);
      const isKnown = ofKind.some(({ share }) => share >= worth.plain);
      const since = record.posts - Math.max(...ofKind.map(({ triedAt }) => triedAt));
      if (kind === used.identity.kind || isKnown || since < exploreAfter) continue;
      const found = best(ofKind, ({ share }) => share);
      if (found === null) continue;
      // Posts that are read meanwhile do not try it, too.
      found.triedAt = record.posts;
      return found.door;
    }
    return null;
  }

  report(egress: string | undefined, door: Door, outcome: DoorOutcome): void {
    const { experiences, posts } = this.#of(egress);
    const experience = experiences.find((one) => one.door === door);
    if (experience === undefined) return;
    const value = worth[outcome];
    const { share } = experience;
    experience.share += (value > share ? weight.better : weight.worse) * (value - share);
    experience.triedAt = posts;
    if (outcome === 'shut') experience.refused += 1;
    else experience.answered += 1;
  }

  /** Its cookies are new: what it met before them no longer counts. */
  renew(egress: string | undefined, door: Door): void {
    const experience = this.#of(egress).experiences.find((one) => one.door === door);
    if (experience !== undefined) experience.share = Math.max(experience.share, worth.plain);
  }

  states(): readonly DoorState[] {
    const all = [...this.#records.values()];
    return this.#doors.map((door, index) => {
      const records = all.flatMap(({ experiences }) => experiences[index] ?? []);
      const tried = records.filter(({ answered, refused }) => answered + refused > 0);
      return {
        ...door,
        answered: records.reduce((sum, { answered }) => sum + answered, 0),
        refused: records.reduce((sum, { refused }) => sum + refused, 0),
        isShut: tried.length > 0 && tried.every(({ share }) => share < shutBelow),
      };
    });
  }

  #of(egress: string | undefined): EgressRecord {
    const known = this.#records.get(egress);
    if (known !== undefined) return known;
    // Untried doors are expected to be half open, the first of the list a little more.
    const experiences = this.#doors.map(
      (door, index): Experience => ({ door, share: 0.5 - index / 100, answered: 0, refused: 0, triedAt: 0 }),
    );
    const record = { experiences, posts: 0 };
    this.#records.set(egress, record);
    return record;
  }
}

function best<T>(all: readonly T[], rank: (one: T) => number): T | null {
  let found: T | null = null;
  for (const one of all) if (found === null || rank(one) > rank(found)) found = one;
  return found;
}
