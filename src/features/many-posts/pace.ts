import { defineService } from '../../site/loaders/services.ts';

/** The site's limits for one visitor, in a minute. */
export interface Pace {
  /** Posts read. */
  readonly posts: number;
  /** Files sent. */
  readonly files: number;
}

/** The pace of a run, for its page. */
export const paceService = defineService<Pace>('many-posts');
