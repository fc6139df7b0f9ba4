import { Failure } from '../../failures/failures.ts';
import type { Extractor } from '../extractors/extractor.ts';
import { recogniseLink } from '../links/recognise.ts';
import type { PostReference } from '../post/post.ts';

/**
 * The post that a text names, and its extractor. Asks the platform to resolve short links.
 * @throws Failure `link_…`, `short_link_dead`, `platform_…`
 */
export async function locatePost(
  text: string,
  extractors: readonly Extractor[],
  signal: AbortSignal,
): Promise<{ readonly reference: PostReference; readonly extractor: Extractor }> {
  const link = recogniseLink(
    text,
    extractors.map(({ links }) => links),
  );
  const extractor = extractors.find(({ platform }) => platform === link.platform);
  if (extractor === undefined) throw new Failure('link_invalid', { note: `no platform ${link.platform}` });
  return { reference: 'id' in link ? link : await extractor.locate(link, signal), extractor };
}
