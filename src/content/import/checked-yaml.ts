import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import type { Problem } from './problems.ts';

type Reader<S extends z.ZodType> =
  | { readonly value: z.output<S>; readonly lineOf: (field: string) => number }
  | { readonly problems: readonly Problem[] };

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
export const holdsNul = 'holds the control character U+0000';

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

/** Parses YAML 1.2 and checks it. @param before lines of the file before it */
export function readCheckedYaml<S extends z.ZodType>(
  schema: S,
  text: string,
  file: string,
  before = 0,
): Reader<S> {
  const lines = new LineCounter();
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { lineCounter: lines });
  } catch (error) {
    // Too many levels for a parser that works in recursion.
    return { problems: [{ file, line: 1 + before, reason: short((error as Error).message) }] };
  }
  if (document.errors.length > 0)
    return {
      problems: document.errors.map(({ pos, message }) => ({
        file,
        line: lines.linePos(pos[0]).line + before,
        reason: short(message),
      })),
    };
  const unstorable = linesWithNul(document, lines).map((line) => ({
    file,
    line: line + before,
    reason: holdsNul,
  }));
  if (unstorable.length > 0) return { problems: unstorable };
  let plain: unknown;
  try {
    plain = document.toJS({ maxAliasCount: 10 }) ?? {};
  } catch (error) {
    return { problems: [{ file, line: 1 + before, reason: short((error as Error).message) }] };
  }
  const lineOf = (...path: PropertyKey[]) => lineAt(document, lines, path) + before;
  const checked = schema.safeParse(plain);
  if (checked.success) return { value: checked.data, lineOf };
  return {
    problems: checked.error.issues.flatMap((issue): Problem[] => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => ({
          file,
          line: lineOf(...issue.path, key),
          reason: `there is no field "${key}"`,
        }));
      const field = issue.path.join('.') || 'it';
      const absent = issue.code === 'invalid_type' && issue.input === undefined;
      const reason = absent && / received undefined/.test(issue.message) ? 'is missing' : issue.message;
      return [{ file, line: lineOf(...issue.path), reason: `${field}: ${reason}` }];
    }),
  };
}
