import type { RunPost } from './run-types.ts';

const columns = [
  'n',
  'date',
  'link',
  'list',
  'state',
  'reason',
  'author',
  'text',
  'posted',
  'files',
  'zip',
] as const;

type Line = Readonly<Record<(typeof columns)[number], string | number | readonly string[] | null>>;

const lineOf = (post: RunPost, { files, zip }: RunPost): Line => ({
  n: post.n,
  date: post.date === null ? null : new Date(post.date).toISOString(),
  link: post.link,
  list: post.section,
  state: post.state,
  reason: (post.state !== 'saved' && post.reason) || null,
  author: post.author ?? null,
  text: post.text ?? null,
  posted: post.postedAt ?? null,
  files,
  zip: zip ?? null,
});

/** A cell as RFC 4180 quotes it. An apostrophe keeps spreadsheets from taking it for a formula. */
function cell(value: Line[keyof Line]): string {
  const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/**
 * All posts of a run, with what became of each: for people and spreadsheets, and for programs.
 * @returns files by their names
 */
export function manifestOf(posts: readonly RunPost[]): Readonly<Record<string, string>> {
  const lines = posts.map((post) => lineOf(post, posts[(post.sameAs ?? 0) - 1] ?? post));
  const rows = lines.map((line) => columns.map((column) => cell(line[column])).join(','));
  return {
    // Spreadsheets read it as UTF-8 then.
    'posts.csv': `\uFEFF${[columns.join(','), ...rows].join('\r\n')}\r\n`,
    'posts.json': `${JSON.stringify(lines, null, 1)}\n`,
  };
}
