import type { FailureKey } from '../../failures/failures.ts';

/** Stands for the answer of a strategy that was not asked, because its circuit breaker is open. */
export const breakerOpen = 'breaker_open';

/** How an answer of the platform ended: a post, or why there was none. */
type ReadingOutcome = 'ok' | typeof breakerOpen | FailureKey;

/**
 * A form of an answer that the program does not know. Names are those of the platform's fields and of its closed lists,
 * never a text that somebody wrote.
 *
 * - `field` a field that was never there before: `video.newField`
 * - `type` a known field of another type: `video.duration:object`
 * - `value` a codec or format that is not in the list: `video.codecType=av2`
 * - `host` media or a redirect at a host that is not known to be the platform's, by a name of a closed list
 * - `unreadable` what an answer lacks that could not be read, see `ResponseShape`
 */
export interface PostShape {
  readonly kind: 'field' | 'type' | 'value' | 'host' | 'unreadable';
  readonly name: string;
}

/** A strategy that is asked no more, or again. */
export interface BreakerChange {
  /** Begins with its platform: `tiktok/page`. */
  readonly strategy: string;
  readonly isOpen: boolean;
  /** Whether it reads posts. */
  readonly reads: boolean;
  /** Strategies of the platform that read posts: those whose breakers are closed now, and all of them. */
  readonly left: number;
  readonly all: number;
  /** Its last failure, for the operator; empty where another instance had it. */
  readonly why: string;
}

/** Called for every request about a post, so the operator sees each strategy's success. */
export interface ReadingObserver {
  /** @param event.strategy with its platform in front: `tiktok/page` */
  answered(event: { readonly strategy: string; readonly outcome: ReadingOutcome }): void;
  /**
   * One question with one user agent by one egress; a strategy may need two.
   * @param event.egress undefined where there is but one and it has no name
   */
  asked(event: {
    readonly strategy: string;
    readonly agent: string;
    readonly egress: string | undefined;
    readonly outcome: ReadingOutcome;
  }): void;
  /** @param event.example id of the post; the host itself where a redirect leads to an unknown one */
  shape(event: { readonly strategy: string; readonly shape: PostShape; readonly example: string }): void;
}
