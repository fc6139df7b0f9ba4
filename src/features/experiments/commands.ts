import {
  type Command,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { type ExperimentResult, readResults } from './results.ts';

const options = { json: { type: 'boolean', default: false } } as const;

function asText({ experiment, since, variants, uncounted }: ExperimentResult): string {
  const lines = variants.map(
    ({ variant, exposures, conversions, share }) =>
      `  ${variant}: ${conversions} of ${exposures} visits (${(share * 100).toFixed(1)} %)`,
  );
  const lost = `  not counted since ${since}: ${uncounted} visits, of networks that began too many in an hour`;
  return [experiment, ...lines, ...(uncounted > 0 ? [lost] : [])].join('\n');
}

/** Shows the operator what visits did who saw the variants of experiments. */
export const experiments: Command = {
  usage: 'experiments [NAME…]   [--json]',
  about: 'results of experiments: visits by variant, and those that saved a file',
  async run(words) {
    const { values, positionals } = readWords(words, options);
    return withDatabase(async ({ query }) => {
      const results = await readResults(query);
      const unknown = positionals.find((name) => !results.some(({ experiment }) => experiment === name));
      if (unknown !== undefined) throw new UsageError(`nobody has seen an experiment "${unknown}"`);
      const found = results.filter(
        ({ experiment }) => positionals.length === 0 || positionals.includes(experiment),
      );
      if (values.json) printJson(found);
      else if (found.length === 0) printText('(nobody has seen an experiment yet)');
      else printText(found.map(asText).join('\n\n'));
      return 0;
    });
  },
};
