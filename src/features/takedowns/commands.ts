import { platforms } from '../../downloader/extractors/platforms.ts';
import { locatePost } from '../../downloader/posts/locate-post.ts';
import { Failure } from '../../failures/failures.ts';
import { type CommandTools, UsageError } from '../../web/commands/declaration.ts';
import { printJson, printText } from '../../web/commands/print.ts';
import { withDatabase } from '../../web/commands/stores.ts';
import { type Column, printRows } from '../../web/commands/table.ts';
import { createTakedowns, nameOf, type TakedownSubject } from './takedowns.ts';

const limitMs = 60_000;

type OpenPlatform = () => ReturnType<CommandTools['openPlatform']>;

/** Only the platform knows which post a short link leads to. */
async function locate(text: string, open: OpenPlatform): Promise<TakedownSubject> {
  const { network, extractors } = await open();
  try {
    const { reference } = await locatePost(text, extractors, AbortSignal.timeout(limitMs));
    return { kind: 'post', name: nameOf(reference.platform, reference.id) };
  } finally {
    await network.close();
  }
}

async function subjectOf(text: string, open: OpenPlatform): Promise<TakedownSubject> {
  for (const { links } of platforms) {
    const handle = links.author.exec(text.trim())?.[1];
    if (handle !== undefined) return { kind: 'author', name: nameOf(links.platform, handle.toLowerCase()) };
  }
  try {
    return await locate(text, open);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new UsageError(`${text} is neither a post nor an author (${thrown.key})`, { cause: thrown });
  }
}

const columns: readonly Column[] = [{ name: 'since' }, { name: 'kind' }, { name: 'name' }, { name: 'link' }];

/** Lists all that is blocked. */
export const listTakedowns = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createTakedowns(query, Date.now).list();
    if (json) printJson(found);
    else
      await printRows(
        columns,
        found.map(({ kind, name, url, madeAt }) => [new Date(madeAt).toISOString(), kind, name, url]),
      );
    return 0;
  });

interface Call {
  readonly urls: readonly string[];
  readonly json: boolean;
}

/**
 * Does the same to all that is named. Running instances act on it within a second or two.
 * @param words what is printed when it was done, and when there was nothing to do
 */
const changeEach =
  (verb: 'add' | 'remove', words: readonly [done: string, not: string]) =>
  ({ urls, json }: Call, { openPlatform }: CommandTools): Promise<number> =>
    withDatabase(async ({ query }, environment) => {
      const takedowns = createTakedowns(query, Date.now);
      const open = () => openPlatform(environment);
      const subjects: (TakedownSubject & { url: string })[] = [];
      // All are understood before any is acted upon.
      for (const url of urls) subjects.push({ ...(await subjectOf(url, open)), url });
      const results: (TakedownSubject & { done: boolean })[] = [];
      for (const { url, ...subject } of subjects) {
        const done = verb === 'add' ? await takedowns.add(subject, url) : await takedowns.remove(subject);
        results.push({ ...subject, done });
      }
      if (json) printJson(results);
      else for (const { kind, name, done } of results) printText(`${kind} ${name}: ${words[done ? 0 : 1]}`);
      return 0;
    }, 'takedowns');

/** Blocks posts and authors. */
export const addTakedowns = changeEach('add', ['blocked', 'was blocked already']);

/** Lifts blocks. */
export const removeTakedowns = changeEach('remove', ['lifted', 'was not blocked']);
