/**
 * Where, in bytes, the text of `<script id="…">` lies in a page, its attributes in any order; null when there is no such script.
 * `end` is -1 when the page breaks off before the closing tag. The platform writes `<` as `\u003C` inside its data.
 */
export function scriptBody(page: Buffer, scriptId: string): { start: number; end: number } | null {
  // The name also occurs in other scripts: only as the id of a script element does it count.
  for (let at = page.indexOf(scriptId); at !== -1; at = page.indexOf(scriptId, at + scriptId.length)) {
    const open = page.lastIndexOf('<', at);
    const tagEnd = page.indexOf('>', at);
    if (tagEnd === -1) continue;
    const tag = page.toString('latin1', open, Math.min(tagEnd + 1, open + 500));
    if (!/^<script[\s]/i.test(tag) || idOf(tag) !== scriptId) continue;
    return { start: tagEnd + 1, end: page.indexOf('</script', tagEnd) };
  }
  return null;
}

function idOf(tag: string): string | undefined {
  const match = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
