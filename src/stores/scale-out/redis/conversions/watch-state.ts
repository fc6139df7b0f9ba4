import { type ConversionState, isFinal } from '../../../contracts/conversion-store.ts';
import { readStateMessage, type StateLink, type StateMessage } from './stored-state.ts';
import { createWakeup } from './wakeup.ts';

/**
 * Without messages the state is read this often; more often while Redis is unreachable and the state is this
 * instance's.
 */
const lookMs = 1000;
const lookAloneMs = 250;

const isSame = (one: ConversionState | null, other: ConversionState | null) =>
  JSON.stringify(one) === JSON.stringify(other);

const isEnd = (message: StateMessage | null): boolean => message !== null && isFinal(message.state);

/** See `ConversionStore.watch`. @param present reads the state as it is now */
export async function* watchState(
  { redis, keys }: StateLink,
  key: string,
  signal: AbortSignal,
  present: () => Promise<StateMessage | null>,
): AsyncGenerator<ConversionState | null, void, void> {
  const wakeup = createWakeup(signal);
  const news: (StateMessage | null)[] = [];
  const stopHearing = redis.subscribe(keys.stateChannel(key), (text) => {
    news.push(readStateMessage(text));
    wakeup.signal();
  });
  try {
    const first = await present();
    // Ignores a conversion that ended before the watch began.
    const isOld = (message: StateMessage | null) =>
      isEnd(first) && isEnd(message) && message?.by === first?.by;
    let last = isOld(first) ? null : first;
    yield last?.state ?? null;
    while (!signal.aborted) {
      await wakeup.waitUpTo(redis.isAway ? lookAloneMs : lookMs);
      for (const message of news.length > 0 ? news.splice(0) : [await present()]) {
        if (signal.aborted) return;
        const next = isOld(message) ? null : message;
        if (!isSame(next?.state ?? null, last?.state ?? null)) yield next?.state ?? null;
        last = next;
        if (isEnd(next)) return;
      }
    }
  } finally {
    stopHearing();
    wakeup.end();
  }
}
