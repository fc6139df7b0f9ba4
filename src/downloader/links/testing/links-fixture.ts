import fc from 'fast-check';
import { Failure, type FailureKey } from '../../../failures/failures.ts';
import type { PostReference, ShortLink } from '../../post/post.ts';
import { recogniseLink } from '../recognise.ts';
import { tiktokLinks } from '../tiktok.ts';

export const tables = [tiktokLinks];

/** The result of recognising a text, or why it is refused. */
export function outcome(text: string): PostReference | ShortLink | FailureKey {
  try {
    return recogniseLink(text, tables);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.key;
    throw thrown;
  }
}

/** The id of a post. */
export const id = fc.bigInt({ min: 10n ** 14n, max: 2n ** 64n - 1n }).map(String);
export const shortCode = fc.stringMatching(/^[A-Za-z0-9_-]{5,32}$/);
const handle = fc.stringMatching(/^[A-Za-z0-9_.-]{0,24}$/);
const postForms = [
  '@H/video/ID',
  '@H/photo/ID',
  '@H/story/ID',
  '@H/Video/ID/comments',
  'de/@H/video/ID',
  'video/ID',
  'v/ID.html',
  'embed/v2/ID',
  'player/v1/ID',
  'share/video/ID',
];

/** The path of a post's address in any form, and the id in it. */
export const postPath = fc
  .tuple(fc.constantFrom(...postForms), handle, id)
  .map(([form, name, postId]) => ({ path: form.replace('ID', postId).replace('H', name), id: postId }));
