import type { z } from 'zod';
import { holdsNul, readCheckedYaml } from './checked-yaml.ts';
import type { Problem } from './problems.ts';

/** A Markdown file with front matter, checked. */
type MarkdownFile<S extends z.ZodType> =
  | {
      readonly fields: z.output<S>;
      readonly body: string;
      readonly lineOf: (field: string) => number;
      /** Lines before the body. */
      readonly before: number;
    }
  | { readonly problems: readonly Problem[] };

const pattern = /^---[ \t]*\n([\s\S]*?)^---[ \t]*(?:\n|$)/m;

/** Reads a Markdown file with YAML front matter between two lines of three hyphens. */
export function readMarkdown<S extends z.ZodType>(schema: S, content: string, file: string): MarkdownFile<S> {
  const text = content.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const match = text.startsWith('---') ? pattern.exec(text) : null;
  if (match === null)
    return { problems: [{ file, line: 1, reason: 'does not start with fields between two lines of "---"' }] };
  const [whole, yaml = ''] = match;
  const read = readCheckedYaml(schema, yaml, file, 1);
  if ('problems' in read) return read;
  const nulAt = text.indexOf('\0');
  if (nulAt >= 0)
    return { problems: [{ file, line: text.slice(0, nulAt).split('\n').length, reason: holdsNul }] };
  const rest = text.slice(whole.length);
  const [blank = ''] = /^\s*(?=\S)/.exec(rest) ?? [];
  return {
    fields: read.value,
    lineOf: read.lineOf,
    body: rest.trim(),
    before: (whole + blank).split('\n').length - 1,
  };
}
