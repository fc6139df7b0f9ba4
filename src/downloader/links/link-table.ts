import type { FailureKey } from '../../failures/failures.ts';
import type { ListReference, PlatformName } from '../post/post.ts';

/** Failures that say what a platform address is, when it is not a post's. */
export type LinkKind = Extract<FailureKey, `link_${string}`>;

/**
 * A path pattern, segment by segment, without empty segments: `{id}` a post's id, `{code}` a short link's code,
 * `{handle}` an author's name (may be empty), `{word}` a few plain letters, `{rest}` one segment of any kind, a final
 * `**` any rest (also none); other segments match literally, ignoring case.
 */
type PathForm = string;

interface PostForm {
  readonly path: PathForm;
  /** The parameter that holds the id when the path does not. */
  readonly query?: string;
}

/** The shapes of a platform's addresses. A second platform is a second table. */
export interface LinkTable {
  readonly platform: PlatformName;
  /** Matches `[A-Za-z0-9_-]{1,64}`: ids are part of keys and addresses without escaping. */
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
  /** Lists of posts that the platform shows to anyone: the name is the path's handle, or its `{rest}` as `name` reads it. */
  readonly lists: readonly {
    readonly path: PathForm;
    readonly kind: ListReference['kind'];
    /** The first group is the name; a handle where it is left out. */
    readonly name?: RegExp;
  }[];
  /** Matches the post's id in embed code; global, the id is the first group. */
  readonly embedMark: RegExp;
  /** An author's name as people write it, without an address. */
  readonly mention: RegExp;
  /** An author, as operators name one: as a mention, or by the address of the profile; the first group is the handle. */
  readonly author: RegExp;
  /** Schemes of applications, as a regular expression, and the host of the pages with the same paths. */
  readonly appSchemes: readonly { readonly schemes: string; readonly host: string }[];
  /** The canonical address of a post or a short link, built from its id or code. */
  readonly addresses: {
    post(id: string, handle?: string): string;
    code(code: string): string;
    list(list: Pick<ListReference, 'kind' | 'name'>): string;
  };
}
