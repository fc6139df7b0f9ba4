import { compare, shareOf, type Trials, verdict } from '../visitors/experiments/evaluate.ts';
import { readTrials } from '../visitors/experiments/results.ts';
import { type Command, printJson, printText, readWords, UsageError, withDatabase } from './command.ts';

const options = { json: { type: 'boolean', default: false } } as const;

/** Each variant, and each but the first compared with the first. */
function evaluate(variants: ReadonlyMap<string, Trials>) {
  const [first] = variants;
  return [...variants].map(([name, trials]) => {
    const figures = { variant: name, ...trials, share: shareOf(trials) };
    if (first === undefined || name === first[0]) return figures;
    const comparison = compare(trials, first[1]);
    return { ...figures, comparison, verdict: verdict(name, first[0], comparison) };
  });
}

function asText(experiment: string, variants: ReturnType<typeof evaluate>): string {
  const lines = variants.map(
    ({ variant, exposures, conversions, share }) =>
      `  ${variant}: ${conversions} of ${exposures} visits (${(share * 100).toFixed(1)} %)`,
  );
  const verdicts = variants.flatMap((one) => ('verdict' in one ? [`  ${one.verdict}`] : []));
  return [experiment, ...lines, ...verdicts].join('\n');
}

/** Shows the operator which variants of experiments do better. */
export const experiments: Command = {
  usage: 'experiments [NAME…]   [--json]',
  about: 'which variants of experiments do better: visits that saved a file',
  async run(words) {
    const { values, positionals } = readWords(words, options);
    return withDatabase(async ({ query }) => {
      const trials = await readTrials(query);
      const unknown = positionals.find((name) => !trials.has(name));
      if (unknown !== undefined) throw new UsageError(`nobody has seen an experiment "${unknown}"`);
      const wanted = positionals.length === 0 ? [...trials.keys()] : positionals;
      const found = wanted.map((name) => ({
        experiment: name,
        variants: evaluate(trials.get(name) ?? new Map()),
      }));
      if (values.json) printJson(found);
      else if (found.length === 0) printText('(nobody has seen an experiment yet)');
      else printText(found.map(({ experiment, variants }) => asText(experiment, variants)).join('\n\n'));
      return 0;
    });
  },
};
