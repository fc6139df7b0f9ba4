import { Failure } from '../../../../failures/failures.ts';

/**
 * Byte range of the text of `<script id="…">` in a page, with attributes in any order; null when there is no such
 * script. The platform writes `<` as `\u003C` inside its data.
 * @throws Failure `platform_failed` when the page ends before the closing tag
 */
export function scriptBody(page: Buffer, scriptId: string): { start: number; end: number } | null {
  // The name also occurs in other scripts: only as the id of a script element does it count.
  for (let at = page.indexOf(scriptId); at !== -1; at = page.indexOf(scriptId, at + scriptId.length)) {
    const open = page.lastIndexOf('<', at);
    const tagEnd = page.indexOf('>', at);
    if (tagEnd === -1) continue;
    const tag = page.toString('latin1', open, Math.min(tagEnd + 1, open + 500));
    if (!/^<script[\s]/i.test(tag) || idOf(tag) !== scriptId) continue;
    const end = page.indexOf('</script', tagEnd);
    if (end === -1) throw new Failure('platform_failed', { note: 'the page ended too early' });
    return { start: tagEnd + 1, end };
  }
  return null;
}

function idOf(tag: string): string | undefined {
  const match = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
