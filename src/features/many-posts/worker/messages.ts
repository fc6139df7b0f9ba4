/** The kind of a list of posts, as far as its name says; `links` for a text without names, `other` for an unknown name. */
export type SectionKind = 'likes' | 'favourites' | 'own' | 'shared' | 'watched' | 'links' | 'other';

/** A list of posts in what was given. */
export interface SectionSummary {
  readonly kind: SectionKind;
  /** As the export names it. */
  readonly title: string;
  /** Posts, each once. */
  readonly count: number;
  /** First and last date, in ms since the epoch; null when it has none. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Why nothing could be read. */
export type ReadFailure = 'too_large' | 'broken' | 'no_posts' | 'too_many';

/** A post that was chosen. */
export interface ChosenPost {
  /** The post's public address. */
  readonly link: string;
  /** The section's name, or that of its kind. */
  readonly section: string;
  /** When it was liked, saved, watched …, in ms since the epoch. */
  readonly date: number | null;
}

/** The sections and the time that a visitor has chosen. */
export interface Choice {
  /** Indexes of sections. */
  readonly sections: readonly number[];
  /** In ms since the epoch; a post without a date is always within. */
  readonly from: number;
  readonly to: number;
}

/** The page's requests: to read first, then to choose any number of times. */
export type ToWorker =
  | { readonly type: 'read'; readonly given: readonly (Blob | string)[] }
  | ({ readonly type: 'choose' } & Choice);

export type FromWorker =
  | { readonly type: 'failed'; readonly reason: ReadFailure }
  | {
      readonly type: 'sections';
      readonly sections: readonly SectionSummary[];
      /** Links that lead to no post. */
      readonly others: number;
    }
  | {
      readonly type: 'chosen';
      readonly count: number;
      /** Posts that stand in what was chosen more than once, counted once for each further time. */
      readonly doubles: number;
      /** Left empty where there are more than {@link mostPosts}. */
      readonly posts: readonly ChosenPost[];
    };

/** Posts of one run. */
export const mostPosts = 5000;
