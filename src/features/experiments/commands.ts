import type { Kysely } from 'kysely';
import { UsageError } from '../../server/commands/declaration.ts';
import { printJson, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { experimentSums } from '../../server/tally/experiments.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';
import { dayName } from '../../stores/tally/units.ts';

/** The results of every experiment that visitors have seen. */
async function readResults(query: Kysely<Tables>) {
  const tally = createTallyStore(query, Date.now);
  const seen = Map.groupBy(await experimentSums(tally, 0), (variant) => variant.experiment);
  return Promise.all(
    [...seen].map(async ([experiment, some]) => {
      const since = Math.min(...some.map((variant) => variant.since));
      return {
        experiment,
        /** The day of the first visit, as `2026-11-22`, in UTC. */
        since: dayName(since),
        /** For each: visits that saw it, and those of them that reached the experiment's goal, also as a share. */
        variants: some.map(({ variant, exposures, conversions }) => ({
          ...{ variant, exposures, conversions, share: conversions / Math.max(1, exposures) },
        })),
        /** Visits since that day that counted in no experiment, because their networks had begun too many. */
        uncounted: await tally.total({ subject: 'uncounted', unit: 'day', from: since, name: 'visit' }),
      };
    }),
  );
}

type ExperimentResult = Awaited<ReturnType<typeof readResults>>[number];

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
