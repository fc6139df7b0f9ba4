import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversionOwner, ConversionState, ConversionStore } from '../conversion-store.ts';

/** An implementation's contribution to the suite. */
export interface ConversionStorePlace {
  /** The store as two instances see it. */
  readonly one: ConversionStore;
  readonly other: ConversionStore;
  /** Advances the clock, for what the store remembers. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const state = (name: ConversionState['state'], more: Partial<ConversionState> = {}): ConversionState => ({
  state: name,
  ahead: null,
  fraction: name === 'done' ? 1 : 0,
  bytes: null,
  error: null,
  ...more,
});

/** An owner whose state a test sets. */
function createOwner(first: ConversionState): ConversionOwner & { present: ConversionState } {
  return {
    present: first,
    state() {
      return this.present;
    },
    cancel: (visitor) => visitor === 'mine',
  };
}

/** The suite for every implementation of {@link ConversionStore}. */
export function describeConversionStore(name: string, makePlace: () => Promise<ConversionStorePlace>): void {
  describe(`conversion store: ${name}`, () => {
    let place: ConversionStorePlace;
    let one: ConversionStore;
    let other: ConversionStore;

    const begin = async (first: ConversionState, store = one) => {
      const owner = createOwner(first);
      const owned = await store.begin('a', owner);
      return {
        owned,
        becomes(next: ConversionState) {
          owner.present = next;
          owned.changed(true);
        },
      };
    };

    const watch = (store: ConversionStore) => {
      const stop = new AbortController();
      const seen: (ConversionState | null)[] = [];
      const over = (async () => {
        for await (const present of store.watch('a', stop.signal)) seen.push(present);
      })();
      return { seen, stop, over };
    };

    beforeEach(async () => {
      place = await makePlace();
      ({ one, other } = place);
    });

    afterEach(() => place.close());

    it('lets the first of several owners report its progress, and the next one when it has left', async () => {
      const first = await begin(state('waiting'));
      const second = await begin(state('reading'), other);
      for (const store of [one, other])
        await vi.waitFor(async () => expect(await store.state('a')).toEqual(state('waiting')), 15_000);
      first.owned.end(state('cancelled'));
      for (const store of [one, other])
        await vi.waitFor(async () => expect(await store.state('a')).toEqual(state('reading')), 5000);
      // An owner that has left no longer has any effect.
      first.owned.end(state('failed', { error: 'internal' }));
      second.becomes(state('converting', { bytes: 10 }));
      for (const store of [one, other])
        await vi.waitFor(
          async () => expect(await store.state('a')).toEqual(state('converting', { bytes: 10 })),
          15_000,
        );
      second.owned.end(state('done', { bytes: 10 }));
      for (const store of [one, other])
        await vi.waitFor(
          async () => expect(await store.state('a')).toEqual(state('done', { bytes: 10 })),
          15_000,
        );
    });

    it('tells everybody the progress of a conversion', async () => {
      expect(await one.state('a')).toBeNull();
      const { becomes } = await begin(state('waiting', { ahead: 3 }));
      for (const store of [one, other])
        await vi.waitFor(
          async () => expect(await store.state('a')).toEqual(state('waiting', { ahead: 3 })),
          15_000,
        );
      becomes(state('converting', { fraction: 0.5, bytes: 1000 }));
      for (const store of [one, other])
        await vi.waitFor(
          async () =>
            expect(await store.state('a')).toEqual(state('converting', { fraction: 0.5, bytes: 1000 })),
          15_000,
        );
    });

    it('remembers for a minute how a conversion ended, unless there was nothing to do or another begins', async () => {
      const failed = state('failed', { error: 'media_unavailable' });
      (await begin(state('reading'))).owned.end(failed);
      await vi.waitFor(async () => expect(await other.state('a')).toEqual(failed), 15_000);
      await place.pass(59_000);
      expect(await other.state('a')).toEqual(failed);
      await place.pass(2000);
      expect(await other.state('a')).toBeNull();

      (await begin(state('reading'))).owned.end(failed);
      await vi.waitFor(async () => expect(await one.state('a')).toEqual(failed), 15_000);
      const { owned } = await begin(state('waiting'));
      expect(await one.state('a')).toEqual(state('waiting'));
      owned.end(null);
      await vi.waitFor(async () => expect(await one.state('a')).toBeNull(), 15_000);
    });

    it('tells watchers everywhere each state, from before the beginning to the end', async () => {
      const watchers = [watch(one), watch(other)];
      const allSaw = (last: ConversionState | null) =>
        vi.waitFor(() => {
          for (const { seen } of watchers) expect(seen.at(-1)).toEqual(last);
        }, 15_000);
      await allSaw(null);
      const { becomes, owned } = await begin(state('waiting', { ahead: 0 }));
      await allSaw(state('waiting', { ahead: 0 }));
      becomes(state('reading'));
      await allSaw(state('reading'));
      owned.end(state('done', { bytes: 10 }));
      for (const { over, seen } of watchers) {
        await over;
        expect(seen.map((present) => present?.state)).toEqual([undefined, 'waiting', 'reading', 'done']);
      }
    });

    it('does not tell a new watcher how the last conversion ended, but reports the next one', async () => {
      (await begin(state('reading'))).owned.end(state('cancelled'));
      await vi.waitFor(async () => expect(await other.state('a')).toEqual(state('cancelled')), 15_000);
      const watcher = watch(other);
      await vi.waitFor(() => expect(watcher.seen).toEqual([null]), 15_000);
      (await begin(state('reading'))).owned.end(state('cancelled'));
      await watcher.over;
      expect(watcher.seen.at(-1)).toEqual(state('cancelled'));
    });

    it('lets a watcher leave', async () => {
      const { stop, over, seen } = watch(one);
      await vi.waitFor(() => expect(seen).toEqual([null]), 15_000);
      stop.abort();
      await over;
      expect(seen).toEqual([null]);
    });

    it('passes a visitor’s cancellation to the owners, and the answer back', async () => {
      expect(await other.cancel('a', 'mine')).toBe(false);
      await one.begin('a', { ...createOwner(state('reading')), cancel: () => false });
      const { owned } = await begin(state('reading'), other);
      for (const store of [one, other]) {
        expect(await store.cancel('a', 'mine')).toBe(true);
        expect(await store.cancel('a', 'another')).toBe(false);
        expect(await store.cancel('b', 'mine')).toBe(false);
      }
      owned.end(state('cancelled'));
      await vi.waitFor(async () => expect(await other.cancel('a', 'mine')).toBe(false), 15_000);
    });
  });
}
