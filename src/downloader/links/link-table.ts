import type { FailureKey } from '../failures.ts';
import type { Post } from '../posts/post.ts';

/** Failures that say what a platform address is, when it is not a post's. */
export type LinkKind = Extract<FailureKey, `link_${string}`>;

/**
 * A path written segment by segment, empty segments left out:
 * `{id}` a post's id, `{code}` a short link's code, `{handle}` an author's name (may be empty), a last `**` anything
 * that follows (also nothing), everything else letter by letter.
 */
type PathForm = string;

/** What a platform's addresses look like. A second platform is a second table. */
export interface LinkTable {
  readonly platform: Post['platform'];
  readonly id: RegExp;
  readonly code: RegExp;
  readonly handle: RegExp;
  /** Whole host names, matched in lower case; the first match counts. */
  readonly hosts: readonly { readonly name: RegExp; readonly use: 'posts' | 'codes' | LinkKind }[];
  /** Paths of posts; with `query`, the id is that parameter's value. */
  readonly posts: readonly { readonly path: PathForm; readonly query?: string }[];
  /** Paths of short links: on hosts used for codes, and on hosts used for posts. */
  readonly codes: { readonly codes: readonly PathForm[]; readonly posts: readonly PathForm[] };
  /** Paths of other things, each with the failure that names it; the first match counts. */
  readonly others: readonly { readonly path: PathForm; readonly kind: LinkKind }[];
}
