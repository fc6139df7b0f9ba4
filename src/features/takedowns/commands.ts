import { type CommandTools, UsageError } from '../../server/commands/declaration.ts';
import { type Column, printJson, printRows, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { createTakedowns, NoSubject, subjectOf, type TakedownSubject } from './takedowns.ts';

const dayMs = 86_400_000;

const columns: readonly Column[] = ['since', 'kind', 'name', 'link', 'until', 'reason'].map((name) => ({
  name,
}));

const dateOf = (ms: number | null) => (ms === null ? '' : new Date(ms).toISOString());

/** Lists all that is blocked. */
export const listTakedowns = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createTakedowns(query, Date.now).list();
    if (json) printJson(found);
    else
      await printRows(
        columns,
        found.map(({ kind, name, url, reason, madeAt, endsAt }) => [
          ...[dateOf(madeAt), kind, name, url],
          ...[dateOf(endsAt), reason],
        ]),
      );
    return 0;
  });

interface Call {
  readonly urls: readonly string[];
  readonly json: boolean;
}

/**
 * Does the same to all subjects. Running instances act on it within a second or two.
 * @param words what is printed when it was done, and when there was nothing to do
 */
async function changeEach(
  { urls, json }: Call,
  { openPlatform }: CommandTools,
  words: readonly [done: string, not: string],
  change: (
    takedowns: ReturnType<typeof createTakedowns>,
    subject: TakedownSubject,
    url: string,
  ) => Promise<boolean>,
): Promise<number> {
  return withDatabase(async ({ query }, environment) => {
    const takedowns = createTakedowns(query, Date.now);
    const open = async () => {
      const { network, extractors } = await openPlatform(environment);
      return { extractors, close: () => network.close() };
    };
    const subjects: (TakedownSubject & { url: string })[] = [];
    // All are understood before any is acted upon.
    for (const url of urls) {
      const subject = await subjectOf(url, open).catch((thrown: unknown) => {
        throw thrown instanceof NoSubject ? new UsageError(thrown.message, { cause: thrown }) : thrown;
      });
      subjects.push({ ...subject, url });
    }
    const results: (TakedownSubject & { done: boolean })[] = [];
    for (const { url, ...subject } of subjects)
      results.push({ ...subject, done: await change(takedowns, subject, url) });
    if (json) printJson(results);
    else for (const { kind, name, done } of results) printText(`${kind} ${name}: ${words[done ? 0 : 1]}`);
    return 0;
  }, 'takedowns');
}

/** Blocks posts and authors. */
export const addTakedowns = (
  {
    reason = '',
    days,
    ...call
  }: Call & { readonly reason: string | undefined; readonly days: number | undefined },
  tools: CommandTools,
): Promise<number> => {
  const endsAt = days === undefined ? null : Date.now() + days * dayMs;
  return changeEach(call, tools, ['blocked', 'was blocked already'], (takedowns, subject, url) =>
    takedowns.add(subject, { url, reason, endsAt }),
  );
};

/** Lifts blocks. */
export const removeTakedowns = (call: Call, tools: CommandTools): Promise<number> =>
  changeEach(call, tools, ['lifted', 'was not blocked'], (takedowns, subject) => takedowns.remove(subject));
