import type { FailureKey } from '../../failures/failures.ts';
import { statuses } from '../http/responses/statuses.ts';

/** Responses that are about the post; others are about the platform, this site or the visitor. */
const postStatuses: readonly number[] = [403, 404, 422, 451];

/** The examples of the downloader pages, and which of them lead to no post at present. */
export class Examples {
  readonly urls: ReadonlySet<string>;
  readonly #dead = new Set<string>();
  readonly #onChange: () => void;

  /** @param onChange called when an example has died or come back */
  constructor(urls: Iterable<string>, onChange: () => void) {
    this.urls = new Set(urls);
    this.#onChange = onChange;
  }

  isDead(url: string): boolean {
    return this.#dead.has(url);
  }

  /** Learns from a look-up. @param text that was looked up, an example or not @param failure null when it succeeded */
  note(text: string, failure: FailureKey | null): void {
    const isDead = failure !== null && postStatuses.includes(statuses[failure]);
    if (!this.urls.has(text) || (failure !== null && !isDead) || isDead === this.isDead(text)) return;
    if (isDead) this.#dead.add(text);
    else this.#dead.delete(text);
    this.#onChange();
  }
}
