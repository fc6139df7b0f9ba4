import { z } from 'zod';
import type { ConversionState } from '../../../contracts/conversion-store.ts';
import type { RedisConnection } from '../connection.ts';

const storedState = z.object({
  state: z.enum(['waiting', 'reading', 'converting', 'done', 'failed', 'cancelled']),
  ahead: z.number().nullable(),
  fraction: z.number(),
  bytes: z.number().nullable(),
  error: z.string().nullable(),
  isSoundless: z.boolean().optional(),
  missingPictures: z.number().optional(),
}) satisfies z.ZodType<ConversionState>;

/** A state and the id of its owner: another conversion of the same key has another owner. */
export interface StateMessage {
  readonly by: string;
  readonly state: ConversionState;
}

/** The stored and published form: the id, a space, the state as JSON; an empty text for none. */
export const writeStateMessage = (by: string, state: ConversionState | null): string =>
  state === null ? '' : `${by} ${JSON.stringify(state)}`;

/** The inverse of {@link writeStateMessage}; null also for an empty text. */
export function readStateMessage(text: string | null): StateMessage | null {
  if (text === null || text === '') return null;
  const at = text.indexOf(' ');
  return { by: text.slice(0, at), state: storedState.parse(JSON.parse(text.slice(at + 1))) };
}

/** The keys and channels of a conversion. */
export function createStateKeys(redis: Pick<RedisConnection, 'name'>) {
  const name = (what: string, key: string) => redis.name('conversion', what, key);
  return {
    state: (key: string) => name('state', key),
    /** The keys of the scripts: the state, the publishing owner, all owners. */
    all: (key: string) => ['state', 'teller', 'parts'].map((what) => name(what, key)),
    /** Channel of the states. */
    stateChannel: (key: string) => name('told', key),
    /** Channel of cancel requests. */
    cancelChannel: (key: string) => name('wishes', key),
    /** Channel of the answers to one cancel request. */
    cancelAnswers: (id: string) => name('answers', id),
  };
}

/** The dependencies of the store's parts. */
export interface StateLink {
  readonly redis: RedisConnection;
  readonly keys: ReturnType<typeof createStateKeys>;
}
