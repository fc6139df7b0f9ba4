import type { JarState } from '../../extractor.ts';
import type { Identity } from './identity.ts';
import { Jar } from './jar.ts';

/** An older jar is thrown away: the platform would know one visitor for too long. */
const maxAgeMs = 6 * 3_600_000;
const homeEveryMs = 600_000;

/** A jar for each egress and identity: no egress ever sees the cookies of another. */
export class Jars {
  readonly #now: () => number;
  readonly #jars = new Map<
    string,
    { readonly egress: string | undefined; readonly identity: string; readonly jar: Jar }
  >();
  /** Key: egress and identity. */
  readonly #homeAt = new Map<string | undefined, Map<string, number>>();

  /** @param now ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  of(egress: string | undefined, { name }: Identity): Jar {
    const key = `${name} ${egress ?? ''}`;
    const known = this.#jars.get(key);
    if (known !== undefined && this.#now() - (known.jar.filledAt ?? this.#now()) < maxAgeMs) return known.jar;
    const jar = new Jar(this.#now);
    this.#jars.set(key, { egress, identity: name, jar });
    return jar;
  }

  /** Throws a jar away: it met a challenge, and would meet it again. */
  discard(egress: string | undefined, { name }: Identity): void {
    this.#jars.delete(`${name} ${egress ?? ''}`);
  }

  /**
   * The identity that may visit the home page for cookies now: once in ten minutes for each egress, in turns. Counts as
   * the visit. Null when it is too early.
   * @param identities preferred first
   */
  nextAtHome(egress: string | undefined, identities: readonly Identity[]): Identity | null {
    const visits = this.#homeAt.get(egress) ?? new Map<string, number>();
    const now = this.#now();
    if (now - Math.max(...visits.values()) < homeEveryMs) return null;
    // A jar of an older visit is gone, whatever it brought.
    for (const [name, at] of visits) if (now - at >= maxAgeMs) visits.delete(name);
    const at = ({ name }: Identity) => visits.get(name) ?? Number.NEGATIVE_INFINITY;
    const [next = null] = identities.toSorted((one, other) => at(one) - at(other));
    if (next !== null) this.#homeAt.set(egress, visits.set(next.name, this.#now()));
    return next;
  }

  states(): readonly JarState[] {
    return [...this.#jars.values()].map(({ egress, identity, jar }) => ({
      egress,
      identity,
      cookies: jar.size,
      ageS: jar.filledAt === null ? 0 : Math.round((this.#now() - jar.filledAt) / 1000),
    }));
  }
}
