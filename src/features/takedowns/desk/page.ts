import { z } from 'zod';
import type { Extractor } from '../../../downloader/extractors/extractor.ts';
import {
  type Action,
  beforeOf,
  type DeskPage,
  olderThan,
  Refused,
  textsOf,
} from '../../../server/desk/desk-page.ts';
import { NoSubject, subjectOf, type TakedownSubject, type Takedowns } from '../takedowns.ts';

interface TakedownsPageParts {
  readonly takedowns: Takedowns;
  readonly extractors: readonly Extractor[];
  /** Tells the instances that the list has changed. */
  announce(): Promise<void>;
}

const pageSize = 50;
const dayMs = 86_400_000;

const addForm = z.object({
  links: z.string().trim().min(1, 'Give a link.').max(10_000),
  reason: z.string().trim().min(1, 'Say why: the log for the law keeps the reason.').max(1000),
  days: z.union([z.literal(''), z.string().regex(/^[1-9]\d{0,4}$/, 'Days are a whole number.')]),
});

const liftForm = z.object({ kind: z.enum(['post', 'author']), name: z.string().min(1).max(200) });

/** One request must not ask the platform about more short links than these. */
const mostLinks = 50;

/** Posts and authors that are not to be had here: taken down with a reason and perhaps an end, lifted, looked up. */
export function takedownsPage({ takedowns, extractors, announce }: TakedownsPageParts) {
  const open = async () => ({ extractors, async close() {} });

  const add: Action = async ({ form }) => {
    const { reason, days, ...texts } = textsOf(form, addForm);
    const links = texts.links.split(/\s+/);
    if (links.length > mostLinks) throw new Refused(`At most ${mostLinks} links at once.`);
    const subjects: (TakedownSubject & { url: string })[] = [];
    const wrong: string[] = [];
    // All are understood before any is acted upon.
    for (const url of links)
      try {
        subjects.push({ ...(await subjectOf(url, open)), url });
      } catch (thrown) {
        if (!(thrown instanceof NoSubject)) throw thrown;
        wrong.push(`${thrown.message}.`);
      }
    if (wrong.length > 0) throw new Refused(`Nothing was taken down. ${wrong.join(' ')}`);
    const endsAt = days === '' ? null : Date.now() + Number(days) * dayMs;
    const added: string[] = [];
    for (const { url, ...subject } of subjects)
      if (await takedowns.add(subject, { url, reason, endsAt }))
        added.push(`${subject.kind} ${subject.name}`);
    await announce();
    const known = subjects.length - added.length;
    return {
      outcome: 'done',
      object: added.join(', ').slice(0, 1000),
      text: `${added.length} taken down${known === 0 ? '' : `, ${known} were already`}.`,
    };
  };

  const lift: Action = async ({ form }) => {
    const subject = liftForm.parse(Object.fromEntries(form));
    const object = `${subject.kind} ${subject.name}`;
    const isDone = await takedowns.remove(subject);
    await announce();
    return isDone
      ? { outcome: 'done', object, text: `${object} is to be had again.` }
      : { outcome: 'failed', object, text: `${object} was not taken down.` };
  };

  return {
    name: 'takedowns',
    section: 'Do',
    title: 'Takedowns',
    async load({ query }) {
      const log = await takedowns.log({ limit: pageSize, ...beforeOf(query) });
      return { present: await takedowns.list(), log, before: olderThan(log, pageSize) };
    },
    actions: { add, lift },
  } satisfies DeskPage;
}

export type TakedownsData = NonNullable<Awaited<ReturnType<ReturnType<typeof takedownsPage>['load']>>>;
