import { z } from 'zod';
import { Failure } from '../../../failures/failures.ts';
import type { Deed, DeskPage } from '../../../web/desk/desk-page.ts';
import type { ServerDependencies } from '../../../web/server/parts.ts';
import { tryEgresses } from './try-egresses.ts';

const tryForm = z.object({ link: z.string().trim().min(1).max(2000) });

/** A link, read by each strategy and each egress: which one broke, and what the files of the others hold. */
export function canaryPage({
  parts,
}: {
  readonly parts: Pick<ServerDependencies, 'extractors' | 'egresses' | 'network'>;
}) {
  let isRunning = false;

  const tryLink: Deed = async ({ form, signal }) => {
    const checked = tryForm.safeParse(Object.fromEntries(form));
    if (!checked.success) return { outcome: 'refused', object: '', text: 'Give the link of a post.' };
    if (isRunning)
      return { outcome: 'refused', object: '', text: 'One is running here. Try again in a minute.' };
    isRunning = true;
    try {
      const tried = await tryEgresses(parts, checked.data.link, signal);
      const all = tried.egresses.flatMap(({ rows }) => rows);
      const worked = all.filter(({ ok }) => ok).length;
      return {
        outcome: worked > 0 ? 'done' : 'failed',
        object: tried.post,
        text: `${worked} of ${all.length} read it.`,
        shown: tried,
      };
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return { outcome: 'refused', object: '', text: `This leads to no post (${thrown.key}).` };
    } finally {
      isRunning = false;
    }
  };

  return {
    name: 'canary',
    section: 'Do',
    title: 'Canary',
    load: async ({ parts: rest }) => (rest.length === 0 ? {} : null),
    deeds: { try: tryLink },
  } satisfies DeskPage;
}
