import { create } from 'content-disposition';

/** The parts of a download's name. */
interface FileNameParts {
  /** The author's handle as the platform gave it. */
  readonly author: string;
  /** The post's id. */
  readonly id: string;
  /** Tells files of one post apart: `hd`, `03`. */
  readonly suffix?: string;
  /** Without a dot. */
  readonly extension: string;
}

/** File systems take 255 bytes; the rest is for the id, the suffix and a browser's " (1)". */
const maxAuthorBytes = 120;

/** Device names that Windows recognises before the first dot. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/** The characters of platforms' ids are kept, so that no two posts share a name. */
const plainId = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * `{author}-{id}.mp4`, safe on every system: no separators, no control, invisible or direction-changing characters, no
 * leading dot or dash, no device name, at most 255 bytes.
 */
export function fileName({ author, id, suffix, extension }: FileNameParts): string {
  const parts = [safePart(author), plainId.test(id) ? id : safePart(id), safePart(suffix ?? '')];
  const name = parts.filter((part) => part !== '').join('-') || 'post';
  const stem = /^[-_]/.test(name) ? `post${name}` : name;
  const [beforeDot = ''] = stem.split('.', 1);
  return `${reserved.test(beforeDot) ? '_' : ''}${stem}.${safePart(extension) || 'bin'}`;
}

/**
 * `Content-Disposition` of a download (RFC 6266): an ASCII name for old programs and the exact name for others (RFC
 * 8187).
 * @param name from {@link fileName}
 */
export function contentDisposition(name: string): string {
  return create(name.toWellFormed(), { fallback: name.replace(/[^\x20-\x7e]|["\\%]/gu, '_') });
}

/** Letters, digits and marks of any script, and the few signs that are harmless everywhere; the rest becomes `_`. */
function safePart(text: string): string {
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^[\s._\p{M}-]+|[\s._-]+$/gu, '');
  let kept = '';
  let bytes = 0;
  for (const char of clean) {
    bytes += Buffer.byteLength(char);
    if (bytes > maxAuthorBytes) break;
    kept += char;
  }
  return kept.replace(/[._-]+$/, '');
}
