import { randomUUID } from 'node:crypto';
import type { ConversionOwner, ConversionState } from '../../../contracts/conversion-store.ts';
import type { RedisConnection } from '../connection.ts';
import { endScript, publishStateScript } from './store-scripts.ts';
import { type StateLink, writeStateMessage } from './stored-state.ts';

/** An owner publishes its state this often, even unchanged, so that a dead owner is detected. */
const heartbeatMs = 1000;
/** Shortest interval between reports of progress. */
const progressMs = 200;
/** How long a polling client can still read the outcome of a conversion without a file. */
const rememberMs = 60_000;

export interface OwnedStateOptions extends StateLink {
  readonly key: string;
  readonly owner: Pick<ConversionOwner, 'state'>;
}

/** Tells all instances how a conversion is doing, until it ends. */
export class OwnedState {
  readonly #options: OwnedStateOptions;
  readonly #self = randomUUID();
  readonly #publishScript: ReturnType<RedisConnection['script']>;
  readonly #endScript: ReturnType<RedisConnection['script']>;
  readonly #heartbeat: NodeJS.Timeout;
  /** Progress that is not published yet. */
  #soon: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: OwnedStateOptions) {
    this.#options = options;
    this.#publishScript = options.redis.script(publishStateScript);
    this.#endScript = options.redis.script(endScript);
    this.#heartbeat = setInterval(() => this.publish(), heartbeatMs).unref();
  }

  async publish(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#ended) return;
    const { keys, key, owner, logUnlessUnavailable } = this.#options;
    const text = writeStateMessage(this.#self, owner.state());
    await this.#publishScript(keys.all(key), [this.#self, text, keys.stateChannel(key)]).catch(
      logUnlessUnavailable,
    );
  }

  publishSoon(): void {
    this.#soon ??= setTimeout(() => this.publish(), progressMs).unref();
  }

  /** @returns false the second time */
  end(last: ConversionState | null): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#soon);
    const { keys, key, logUnlessUnavailable } = this.#options;
    const text = writeStateMessage(this.#self, last);
    const isDone = last?.state === 'done' ? 1 : 0;
    this.#endScript(keys.all(key), [this.#self, text, keys.stateChannel(key), isDone, rememberMs]).catch(
      logUnlessUnavailable,
    );
    return true;
  }
}
