import {
  type Command,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { type FigureName, type Figures, figureNames, readFigures } from './figures.ts';
import { dayOf } from './sums/daily-sums.ts';

const options = {
  json: { type: 'boolean', default: false },
  days: { type: 'string', default: '30' },
} as const;

const dayMs = 86_400_000;

const isFigureName = (word: string): word is FigureName => (figureNames as readonly string[]).includes(word);

/** Rows below the names of their columns; numbers stand to the right. */
function asTable(rows: Figures): string {
  const [first] = rows;
  if (first === undefined) return '(nothing yet)';
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const isNumber = columns.map((column) => typeof first[column] === 'number');
  return lines
    .map((line) =>
      line
        .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Shows the operator what happened on the site. */
export const statistics: Command = {
  usage: 'statistics [days | pages | downloads | events | uncounted] [--days N]   [--json]',
  about: 'what visitors did, in sums of days (UTC)',
  async run(words) {
    const { values, positionals } = readWords(words, options);
    const unknown = positionals.find((word) => !isFigureName(word));
    if (unknown !== undefined) throw new UsageError(`there are no figures "${unknown}"`);
    if (!/^[1-9]\d{0,4}$/.test(values.days)) throw new UsageError('--days must be a whole number');
    const since = dayOf(Date.now() - (Number(values.days) - 1) * dayMs);
    const wanted = positionals.length === 0 ? figureNames : positionals.filter(isFigureName);
    return withDatabase(async ({ query }) => {
      const found: Partial<Record<FigureName, Figures>> = {};
      for (const name of wanted) found[name] = await readFigures(query, name, since);
      if (values.json) printJson(found);
      else printText(wanted.map((name) => `${name}\n\n${asTable(found[name] ?? [])}`).join('\n\n'));
      return 0;
    });
  },
};
