import type { z } from 'zod';
import { type CheckedFields, holdsNul, nul, readCheckedYaml } from './checked-yaml.ts';
import type { Problem } from './problems.ts';

/** A Markdown file with front matter. After a mistake its fields are those that are right. */
export type MarkdownFile<S extends z.ZodObject> = CheckedFields<S> & {
  readonly body: string;
  /** Lines before the body. */
  readonly before: number;
};

const pattern = /^---[ \t]*\n([\s\S]*?)^---[ \t]*(?:\n|$)/m;

/** Reads a Markdown file with YAML front matter between two lines of three hyphens. */
export function readMarkdown<S extends z.ZodObject>(
  schema: S,
  content: string,
  file: string,
): MarkdownFile<S> | { readonly problems: readonly Problem[] } {
  const text = content.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const match = text.startsWith('---') ? pattern.exec(text) : null;
  if (match === null)
    return { problems: [{ file, line: 1, reason: 'does not start with fields between two lines of "---"' }] };
  const [whole, yaml = ''] = match;
  const nulAt = text.indexOf(nul);
  if (nulAt >= 0)
    return { problems: [{ file, line: text.slice(0, nulAt).split('\n').length, reason: holdsNul }] };
  const rest = text.slice(whole.length);
  const [blank = ''] = /^\s*(?=\S)/.exec(rest) ?? [];
  return {
    ...readCheckedYaml(schema, yaml, file, 1),
    body: rest.trim(),
    before: (whole + blank).split('\n').length - 1,
  };
}
