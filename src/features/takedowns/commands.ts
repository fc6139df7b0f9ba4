import { platforms } from '../../downloader/extractors/platforms.ts';
import { locatePost } from '../../downloader/posts/locate-post.ts';
import { Failure } from '../../failures/failures.ts';
import {
  type Command,
  type CommandTools,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
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

/** Blocks posts and authors, and lifts blocks. Running instances act on it within a second or two. */
export const takedown: Command = {
  usage: 'takedown add URL… | remove URL… | list   [--json]',
  about: 'blocked posts and authors',
  async run(all, { openPlatform }) {
    const { values, positionals } = readWords(all, { json: { type: 'boolean', default: false } });
    const [verb = 'list', ...urls] = positionals;
    if (verb === 'list' && urls.length === 0)
      return withDatabase(async ({ query }) => {
        const found = await createTakedowns(query, Date.now).list();
        if (values.json) printJson(found);
        else
          for (const { kind, name, url, madeAt } of found)
            printText([new Date(madeAt).toISOString(), kind, name, url].join('  '));
        return 0;
      });
    if ((verb !== 'add' && verb !== 'remove') || urls.length === 0)
      throw new UsageError('takedown needs add URL, remove URL or list');
    return withDatabase(async ({ query }, environment) => {
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
