import type { Post } from '../../post/post.ts';
import type { MediaTags } from './id3.ts';

/** The tags of a file of a post. @param otherTitle for a post without a text */
export const tagsOfPost = (
  { title, author, id, url }: Pick<Post, 'title' | 'author' | 'id' | 'url'>,
  otherTitle = '',
): MediaTags => ({
  title: title.trim() || otherTitle || `${author.handle} ${id}`,
  artist: author.name.trim() || author.handle,
  sourceUrl: url,
});
