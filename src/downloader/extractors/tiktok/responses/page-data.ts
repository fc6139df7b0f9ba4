import { z } from 'zod';
import { Failure } from '../../../../failures/failures.ts';
import type { DataPlace } from '../identities/identity.ts';
import { Blocked, gateByBody } from './gates.ts';
import { parseJson, sliceOfObject } from './json.ts';

/**
 * Byte range of the text of `<script id="…">` in a page, with attributes in any order; null when there is no such
 * script. The platform writes `<` as `\u003C` inside its data.
 * @throws Failure `platform_failed` when the page ends before the closing tag
 */
function scriptBody(page: Buffer, scriptId: string): { start: number; end: number } | null {
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

/** A page of the platform without its post and without a reason: clients that it does not trust yet get one. */
export class PageShell extends Blocked {}

/** Only the site's own code has it; a page with a post has its data as well. */
const chunkList = '__LOADABLE_REQUIRED_CHUNKS__';

/**
 * Finds the part of a page that describes its post.
 * @throws PageShell
 * @throws Failure `platform_blocked`, `platform_throttled`, `platform_failed`
 * @throws UnreadableResponse for a page of another form
 */
export function findDetail(body: Buffer, places: readonly DataPlace[]): unknown {
  let isShell = false;
  for (const { script, member } of places) {
    const found = scriptBody(body, script);
    if (found === null) continue;
    const json =
      member === null
        ? body.toString('utf8', found.start, found.end)
        : sliceOfObject(body, member, found.start, found.end);
    if (json !== null) return checkedDetail(parseJson(json));
    isShell = true;
  }
  if (isShell) throw new PageShell('shell', 'a shell without the post');
  if (body.includes(chunkList)) throw new PageShell('shell', `a shell without data, ${body.length} bytes`);
  throw gateByBody(body);
}

/** Members of a detail that say nothing by themselves. */
const silent = new Set(['itemInfo', 'shareMeta', 'statusCode', 'statusMsg', 'statusMessage']);

/** @throws PageShell for a detail without item, status and message */
function checkedDetail(detail: unknown): unknown {
  if (typeof detail !== 'object' || detail === null) return detail;
  const { itemInfo, statusCode, statusMsg, statusMessage } = detail as Record<string, unknown>;
  const hasItem = typeof itemInfo === 'object' && itemInfo !== null && Object.keys(itemInfo).length > 0;
  const says = [statusCode, statusMsg, statusMessage].some((value) => value && value !== '0');
  if (!hasItem && !says && Object.keys(detail).every((name) => silent.has(name)))
    throw new PageShell('stub', 'a stub without the item');
  return detail;
}

const embedSchema = z.object({ source: z.object({ data: z.record(z.string(), z.unknown()) }) });

/** What a page for embedding says, by the path that was asked for. @throws as {@link findDetail}, but for shells */
export function embedData(body: Buffer): Readonly<Record<string, unknown>> {
  const script = scriptBody(body, '__FRONTITY_CONNECT_STATE__');
  if (script === null) throw gateByBody(body);
  const state = embedSchema.safeParse(parseJson(body.toString('utf8', script.start, script.end)));
  return state.data?.source.data ?? {};
}
