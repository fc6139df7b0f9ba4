import { UsageError } from '../../server/commands/declaration.ts';
import { printJson, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { type ExperimentResult, readResults } from './results.ts';

function asText({ experiment, since, variants, uncounted }: ExperimentResult): string {
  const lines = variants.map(
    ({ variant, exposures, conversions, share }) =>
      `  ${variant}: ${conversions} of ${exposures} visits (${(share * 100).toFixed(1)} %)`,
  );
  const lost = `  not counted since ${since}: ${uncounted} visits, of networks that began too many in an hour`;
  return [experiment, ...lines, ...(uncounted > 0 ? [lost] : [])].join('\n');
}

/** Shows the operator what visits did who saw the variants of experiments. */
export const showExperiments = ({
  names,
  json,
}: {
  names: readonly string[];
  json: boolean;
}): Promise<number> =>
  withDatabase(async ({ query }) => {
    const results = await readResults(query);
    const unknown = names.find((name) => !results.some(({ experiment }) => experiment === name));
    if (unknown !== undefined) throw new UsageError(`nobody has seen an experiment "${unknown}"`);
    const found = results.filter(({ experiment }) => names.length === 0 || names.includes(experiment));
    if (json) printJson(found);
    else if (found.length === 0) printText('(nobody has seen an experiment yet)');
    else printText(found.map(asText).join('\n\n'));
    return 0;
  });
