import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import type { StoredFacts } from '../contracts/file-store.ts';

/**
 * A stored file is its content, then its facts as JSON, then 8 bytes: the JSON's length (32 bit, big-endian) and a
 * magic number. It is one file, so that one rename publishes content and facts together, and a file truncated by a
 * power cut is detected by itself.
 */
const mark = 'CFK1';
const footerBytes = 8;
const maxFactsBytes = 4096;

const factsSchema = z.object({
  key: z.string(),
  length: z.number().int().nonnegative(),
  etag: z.string().regex(/^"[\x21\x23-\x7e]{1,100}"$/),
  madeAt: z.number(),
});

/** The bytes after the content. */
export function writeFacts(key: string, { length, etag, madeAt }: StoredFacts): Buffer {
  const json = Buffer.from(JSON.stringify(factsSchema.parse({ key, length, etag, madeAt })), 'utf8');
  const footer = Buffer.alloc(footerBytes);
  footer.writeUInt32BE(json.length, 0);
  footer.write(mark, 4, 'latin1');
  return Buffer.concat([json, footer]);
}

/** The facts at the end of a file; null when it is not a complete stored file of this key. */
export async function readFacts(handle: FileHandle, key: string): Promise<StoredFacts | null> {
  const { size } = await handle.stat();
  const end = Buffer.alloc(Math.min(size, maxFactsBytes + footerBytes));
  await handle.read(end, 0, end.length, size - end.length);
  if (end.length < footerBytes || end.toString('latin1', end.length - 4) !== mark) return null;
  const jsonBytes = end.readUInt32BE(end.length - footerBytes);
  if (jsonBytes > end.length - footerBytes) return null;
  const json = end.toString('utf8', end.length - footerBytes - jsonBytes, end.length - footerBytes);
  const parsed = factsSchema.safeParse(parseJson(json));
  if (!parsed.success) return null;
  const { key: writtenKey, ...facts } = parsed.data;
  return writtenKey === key && facts.length + jsonBytes + footerBytes === size ? facts : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
