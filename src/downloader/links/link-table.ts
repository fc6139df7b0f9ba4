import type { FailureKey } from '../../failures/failures.ts';
import type { PlatformName } from '../posts/post.ts';

/** Failures that say what a platform address is, when it is not a post's. */
export type LinkKind = Extract<FailureKey, `link_${string}`>;

/**
 * A path written segment by segment, empty segments left out:
 * `{id}` a post's id, `{code}` a short link's code, `{handle}` an author's name (may be empty), `{word}` a few plain
 * letters, `{rest}` one segment of any kind, a last `**` anything that follows (also nothing), everything else letter
 * by letter, capitals or not.
 */
type PathForm = string;

interface PostForm {
  readonly path: PathForm;
  /** The parameter that holds the id when the path does not. */
  readonly query?: string;
  /** Where in the parameter's value, percent-decoded once, the id stands: the first group. The whole value without it. */
  readonly value?: RegExp;
}

/** What a platform's addresses look like. A second platform is a second table. */
export interface LinkTable {
  readonly platform: PlatformName;
  /** Of at most `[A-Za-z0-9_-]{1,64}`: ids stand in keys and addresses as they are. */
  readonly id: RegExp;
  readonly code: RegExp;
  readonly handle: RegExp;
  /** A first segment that only chooses the page's language. */
  readonly language: RegExp;
  /** Whole host names, matched in lower case; the first match counts. */
  readonly hosts: readonly { readonly name: RegExp; readonly use: 'posts' | 'codes' | LinkKind }[];
  readonly posts: readonly PostForm[];
  /** Paths of short links: on hosts used for codes, and on hosts used for posts. */
  readonly codes: { readonly codes: readonly PathForm[]; readonly posts: readonly PathForm[] };
  /** Paths of other things, each with the failure that names it; the first match counts. */
  readonly others: readonly { readonly path: PathForm; readonly kind: LinkKind }[];
  /** What names a post in the code that embeds it in other pages; global, the id is the first group. */
  readonly embedMark: RegExp;
  /** An author's name as people write it, without an address. */
  readonly mention: RegExp;
  /** An author, as operators name one: as a mention, or by the address of the profile; the first group is the handle. */
  readonly author: RegExp;
  /** The address of a post, and of a short link, made anew from what names it. */
  readonly addresses: { post(id: string): string; code(code: string): string };
}
