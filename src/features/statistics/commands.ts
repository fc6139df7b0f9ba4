import { printJson, tableText, terminalColumns } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { unitOf } from '../../stores/tally/units.ts';
import { type FigureName, type Figures, figureNames, readFigures } from './figures.ts';

async function asTable(rows: Figures): Promise<string> {
  const [first] = rows;
  if (first === undefined) return '(nothing yet)';
  const names = Object.keys(first);
  return tableText(
    names.map((name) => ({ name, isNumber: typeof first[name] === 'number' })),
    rows.map((row) => names.map((name) => row[name])),
    terminalColumns(),
  );
}

interface Call {
  readonly figures: readonly FigureName[];
  readonly days: number;
  readonly json: boolean;
}

/** Shows the operator what happened on the site. */
export const showStatistics = ({ figures, days, json }: Call): Promise<number> =>
  withDatabase(async ({ query }) => {
    const since = unitOf('day', Date.now()) - days + 1;
    const wanted = figures.length === 0 ? figureNames : figures;
    const found: Partial<Record<FigureName, Figures>> = {};
    for (const name of wanted) found[name] = await readFigures(query, name, since);
    if (json) printJson(found);
    else for (const name of wanted) console.log(`${name}\n\n${await asTable(found[name] ?? [])}\n`);
    return 0;
  });
