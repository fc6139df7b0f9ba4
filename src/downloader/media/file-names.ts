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
  /** The author's text. */
  readonly text?: string;
  /** When it was posted, in seconds since the epoch; null when unknown. */
  readonly createdAt?: number | null;
}

/** How a visitor wants files to be named. */
export interface FileNaming {
  /** Text with `{author}`, `{date}`, `{text}`, `{id}` and `{n}`; null for `{author}-{id}`. */
  readonly template: string | null;
  /** The post's place in a list, for `{n}`. */
  readonly n?: number;
}

export const usualNaming: FileNaming = { template: null };

/** Characters of a template. */
export const maxTemplateLength = 100;

/** File systems take 255 bytes; the rest is for the id, the suffix and a browser's " (1)". */
const maxAuthorBytes = 120;

/** Device names that Windows recognises before the first dot. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/** The characters of platforms' ids are kept, so that no two posts share a name. */
const plainId = /^[A-Za-z0-9_-]{1,64}$/;

/** The same for a template's name: a suffix has 120 at most. */
const maxFilledBytes = 110;

/**
 * `{author}-{id}.mp4`, or a visitor's template, safe on every system: no separators, no control, invisible or
 * direction-changing characters, no leading dot or dash, no device name, at most 255 bytes.
 */
export function fileName(given: FileNameParts, naming: FileNaming = usualNaming): string {
  const { author, id, suffix, extension } = given;
  const usual = [safePart(author), plainId.test(id) ? id : safePart(id)];
  const parts = [...(naming.template === null ? usual : [filled(given, naming)]), safePart(suffix ?? '')];
  const name = parts.filter((part) => part !== '').join('-') || 'post';
  const stem = /^[-_]/.test(name) ? `post${name}` : name;
  const beforeDot = (stem.split('.', 1)[0] ?? '').trim();
  return `${reserved.test(beforeDot) ? '_' : ''}${stem}.${safePart(extension) || 'bin'}`;
}

/** A name that is not taken: some systems ignore case. It is taken then. */
export function distinctName(name: string, taken: Set<string>): string {
  const [, stem = name, extension = ''] = /^(.+)(\.[^.]+)$/.exec(name) ?? [];
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${stem}-${count}${extension}`;
    const key = nameKey(tried);
    if (taken.has(key)) continue;
    taken.add(key);
    return tried;
  }
}

/** A key that is equal for names that some file system takes for the same. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * A template with a post's values; a value that is empty takes the signs before it along. The text has what room is
 * left.
 */
function filled({ author, id, text = '', createdAt }: FileNameParts, { template, n }: FileNaming): string {
  const date = createdAt == null ? '' : new Date(createdAt * 1000).toISOString().slice(0, 10);
  const fill = (shown: string) => {
    const values = new Map(Object.entries({ author, id, date, text: shown, n: String(n ?? '') }));
    const name = (template ?? '')
      .slice(0, maxTemplateLength)
      .replace(/([ ._-]*)\{(\w+)\}/g, (all: string, signs: string, field: string) => {
        const value = values.get(field);
        return value === undefined ? all : value === '' ? '' : signs + value;
      });
    return clean(name, unsafeInTemplate, ' ');
  };
  const room = maxFilledBytes + 1 - bytesOf(fill('x'));
  return cut(fill(cut(clean(text, unsafeInTemplate, ' '), room)), maxFilledBytes) || safePart(id);
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Letters, digits and marks of any script, and the few signs that are harmless everywhere; the rest becomes `_`. */
const safePart = (text: string): string => cut(clean(text, unsafe, '_'), maxAuthorBytes);

const unsafe = /[^\p{L}\p{M}\p{N}._-]+/gu;
/** A template may have spaces, and what people write in sentences. */
const unsafeInTemplate = /[^\p{L}\p{M}\p{N} ._()&+,'!@#-]+/gu;

function clean(text: string, foreign: RegExp, by: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(foreign, by)
    .replace(/_{2,}/g, '_')
    .replace(/ {2,}/g, ' ')
    .replace(/^[\s._\p{M}-]+|[\s._-]+$/gu, '');
}

/** The beginning that fits, without half a character at its end. */
function cut(text: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const char of text) {
    bytes += bytesOf(char);
    if (bytes > maxBytes) break;
    kept += char;
  }
  return kept.replace(/[\s._-]+$/, '');
}
