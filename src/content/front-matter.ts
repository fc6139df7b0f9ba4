import { LineCounter, parseDocument } from 'yaml';

/** A Markdown file that begins with fields in YAML between two lines of `---`. */
export interface FrontMatter {
  /** As YAML gives them, unchecked. */
  readonly fields: unknown;
  /** The Markdown behind the fields. */
  readonly body: string;
  /** Line of the file on which a field stands, counted from 1; the first line for one that is not there. */
  lineOf(field: string): number;
}

/** The file's beginning is not what it should be. */
export class FrontMatterError extends Error {
  override readonly name = 'FrontMatterError';
  /** Counted from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const fence = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/**
 * Reads the fields and the text of a Markdown file.
 * @param source the file, with or without a byte order mark
 * @throws FrontMatterError when there are no fields, or they are no YAML (anchors and own tags are refused)
 */
export function readFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '');
  const found = text.startsWith('---') ? fence.exec(text) : null;
  if (found === null || found.index !== 0)
    throw new FrontMatterError('the file must begin with fields between two lines of "---"', 1);
  const lines = new LineCounter();
  const document = parseDocument(found[1] ?? '', { lineCounter: lines, schema: 'core', uniqueKeys: true });
  // The fields begin on the file's second line.
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;
  const mistake = document.errors[0] ?? document.warnings[0];
  if (mistake !== undefined)
    throw new FrontMatterError(mistake.message.split('\n', 1)[0] ?? '', lineAt(mistake.pos[0]));
  return {
    // One alias may stand for a thousand others; nobody needs that here.
    fields: document.toJS({ maxAliasCount: 0 }),
    body: text.slice(found[0].length),
    lineOf(field) {
      const node = document.get(field, true) as { range?: readonly [number, ...unknown[]] } | undefined;
      return node?.range === undefined ? 1 : lineAt(node.range[0]);
    },
  };
}
