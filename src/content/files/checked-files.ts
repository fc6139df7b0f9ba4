import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { safeParse, type z } from 'zod';
import type { Problem } from './problems.ts';

/** Fields of a file. After a mistake those that are right, for checks that need no others. */
type CheckedFields<S extends z.ZodObject> = { readonly lineOf: (field: string) => number } & (
  | { readonly fields: z.output<S> }
  | { readonly fields: Partial<z.output<S>>; readonly problems: readonly Problem[] }
);

/** The line of a field; for a missing field, the line of its parent. */
function lineAt(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const within = document.getIn(path.slice(0, length - 1), true) ?? document.contents;
    const name = path[length - 1];
    if (isMap(within)) {
      const pair = within.items.find(({ key }) => isScalar(key) && String(key.value) === String(name));
      if (pair !== undefined && isScalar(pair.key) && pair.key.range)
        return lines.linePos(pair.key.range[0]).line;
    }
    const node = document.getIn(path.slice(0, length), true) as { range?: [number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** PostgreSQL takes it in no text. */
const nul = '\0';
const holdsNul = 'holds the control character U+0000';

/** Lines with values that contain U+0000, which YAML can write as "\0". */
function linesWithNul(document: Document, lines: LineCounter): number[] {
  const found: number[] = [];
  visit(document, {
    Scalar(_, { value, range }) {
      if (typeof value === 'string' && value.includes(nul)) found.push(lines.linePos(range?.[0] ?? 0).line);
    },
  });
  return found;
}

/** The first lines of a reason: a parser's own picture of the place would only repeat what file and line say. */
const short = (message: string) =>
  message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;

/** The fields that are right, where others are wrong. */
const rightFields = <S extends z.ZodObject>(schema: S, plain: unknown) =>
  Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      const { data } = safeParse(field, Object(plain)[name]);
      return data === undefined ? [] : [[name, data]];
    }),
  ) as Partial<z.output<S>>;

/** What a field has to hold, by the name of its type. */
const wanted: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'fields', record: 'fields' },
};

/** What an issue says of its field. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  if (issue.message.endsWith(' received undefined')) return 'is missing';
  return `must be ${wanted[issue.expected] ?? issue.expected}`;
}

/** Parses YAML 1.2 and checks it. @param before lines of the file before it */
export function readCheckedYaml<S extends z.ZodObject>(
  schema: S,
  text: string,
  file: string,
  before = 0,
): CheckedFields<S> {
  const lines = new LineCounter();
  const refused = (found: readonly Omit<Problem, 'file'>[]): CheckedFields<S> => ({
    ...{ fields: {}, lineOf: () => 1 + before },
    problems: found.map(({ line, reason }) => ({ file, line: line + before, reason: short(reason) })),
  });
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { lineCounter: lines });
  } catch (error) {
    // Too many levels for a parser that works in recursion.
    return refused([{ line: 1, reason: (error as Error).message }]);
  }
  if (document.errors.length > 0)
    return refused(
      document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, reason: message })),
    );
  const unstorable = linesWithNul(document, lines);
  if (unstorable.length > 0) return refused(unstorable.map((line) => ({ line, reason: holdsNul })));
  let plain: unknown;
  try {
    plain = document.toJS({ maxAliasCount: 10 }) ?? {};
  } catch (error) {
    return refused([{ line: 1, reason: (error as Error).message }]);
  }
  const lineOf = (...path: PropertyKey[]) => lineAt(document, lines, path) + before;
  const checked = schema.safeParse(plain);
  if (checked.success) return { fields: checked.data, lineOf };
  const { issues } = checked.error;
  return {
    ...{ fields: rightFields(schema, plain), lineOf },
    problems: issues.flatMap((issue): Problem[] => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => ({
          file,
          line: lineOf(...issue.path, key),
          reason: `there is no field "${key}"`,
        }));
      const field = issue.path.join('.') || 'it';
      return [{ file, line: lineOf(...issue.path), reason: `${field}: ${reasonOf(issue)}` }];
    }),
  };
}

/** A Markdown file with front matter. After a mistake its fields are those that are right. */
export type MarkdownFile<S extends z.ZodObject> = CheckedFields<S> & {
  readonly body: string;
  /** Lines before the body. */
  readonly before: number;
};

const frontMatter = /^---[ \t]*\n([\s\S]*?)^---[ \t]*(?:\n|$)/m;

/** Reads a Markdown file with YAML front matter between two lines of three hyphens. */
export function readMarkdown<S extends z.ZodObject>(
  schema: S,
  content: string,
  file: string,
): MarkdownFile<S> | { readonly problems: readonly Problem[] } {
  const text = content.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const match = text.startsWith('---') ? frontMatter.exec(text) : null;
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
