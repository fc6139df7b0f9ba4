import type { ConversionStore } from '../../../contracts/conversion-store.ts';
import type { RedisConnection } from '../connection.ts';
import { listenForCancels, requestCancel } from './cancel-requests.ts';
import { OwnedState } from './owned-state.ts';
import { createStateKeys, readStateMessage, type StateLink, type StateMessage } from './stored-state.ts';
import { watchState } from './watch-state.ts';

/**
 * The instances' shared knowledge of their conversions, on a Redis server.
 * @param local this instance's own store, used alone while Redis is unreachable
 */
export function createRedisConversionStore(redis: RedisConnection, local: ConversionStore): ConversionStore {
  const keys = createStateKeys(redis);
  const link: StateLink = { redis, keys };

  /** The known state; this instance's own if Redis has none. */
  async function present(key: string): Promise<StateMessage | null> {
    try {
      return readStateMessage(await redis.call((client) => client.get(keys.state(key))));
    } catch (error) {
      redis.report(error);
      const state = await local.state(key);
      return state === null ? null : { by: 'this instance', state };
    }
  }

  return {
    async begin(key, owner) {
      const part = await local.begin(key, owner);
      const state = new OwnedState({ ...link, key, owner });
      const stopHearing = listenForCancels(link, key, owner);
      await state.publish();
      return {
        changed(urgent) {
          part.changed(urgent);
          if (urgent) void state.publish();
          else state.publishSoon();
        },
        end(last) {
          if (!state.end(last)) return;
          stopHearing();
          part.end(last);
        },
      };
    },

    state: async (key) => (await present(key))?.state ?? null,

    watch: (key, signal) => watchState(link, key, signal, () => present(key)),

    async cancel(key, waiter) {
      const isCancelled = await local.cancel(key, waiter);
      try {
        return (await requestCancel(link, key, waiter)) || isCancelled;
      } catch (error) {
        redis.report(error);
        return isCancelled;
      }
    },
  };
}
