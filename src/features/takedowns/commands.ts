import {
  type Command,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { NoSubject, subjectOf } from './takedown-subject.ts';
import { createTakedowns, type TakedownSubject } from './takedowns.ts';

/** The longest that a takedown with an end lasts, in days. */
const mostDays = 36_500;
const dayMs = 86_400_000;

function endAfter(days: string | undefined): number | null {
  if (days === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(days) || Number(days) > mostDays)
    throw new UsageError(`--days must be a whole number up to ${mostDays}`);
  return Date.now() + Number(days) * dayMs;
}

/** Blocks posts and authors, and lifts blocks. Running instances act on it within a second or two. */
export const takedown: Command = {
  usage: 'takedown add URL… [--reason TEXT] [--days N] | remove URL… | list   [--json]',
  about: 'posts and authors that are not to be had here',
  async run(all, { openPlatform }) {
    const { values, positionals } = readWords(all, {
      json: { type: 'boolean', default: false },
      reason: { type: 'string', default: '' },
      days: { type: 'string' },
    });
    const [verb = 'list', ...urls] = positionals;
    if (verb === 'list' && urls.length === 0)
      return withDatabase(async ({ query }) => {
        const found = await createTakedowns(query, Date.now).list();
        if (values.json) printJson(found);
        else
          for (const { kind, name, url, reason, madeAt, endsAt } of found)
            printText(
              [
                ...[new Date(madeAt).toISOString(), kind, name, url],
                ...(endsAt === null ? [] : [`until ${new Date(endsAt).toISOString()}`]),
                ...(reason === '' ? [] : [reason]),
              ].join('  '),
            );
        return 0;
      });
    if ((verb !== 'add' && verb !== 'remove') || urls.length === 0)
      throw new UsageError('takedown needs add URL, remove URL or list');
    const facts = { reason: values.reason, endsAt: endAfter(values.days) };
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
      for (const { url, ...subject } of subjects) {
        const done =
          verb === 'add' ? await takedowns.add(subject, { url, ...facts }) : await takedowns.remove(subject);
        results.push({ ...subject, done });
      }
      if (values.json) printJson(results);
      else
        for (const { kind, name, done } of results)
          printText(
            `${kind} ${name}: ${verb === 'add' ? (done ? 'blocked' : 'was blocked already') : done ? 'lifted' : 'was not blocked'}`,
          );
      return 0;
    }, 'takedowns');
  },
};
