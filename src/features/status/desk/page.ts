import { z } from 'zod';
import { type Action, type DeskPage, textsOf } from '../../../server/desk/desk-page.ts';
import type { NamedSum } from '../../../stores/tally/tally-store.ts';
import { type IncidentStore, longestIncident } from '../incidents.ts';
import type { SiteStatus } from '../site-status.ts';

interface IncidentsPageParts {
  readonly incidents: IncidentStore;
  /** The status page's figures. */
  look(): Promise<SiteStatus>;
  /** Uncounted events of the last 24 hours, by kind and reason. */
  uncounted(): Promise<readonly Pick<NamedSum, 'name' | 'detail' | 'total'>[]>;
  /** Has this instance's status page show at once what is new; others do within ten seconds. */
  onChange(): void;
}

const openForm = z.object({ text: z.string().trim().min(1).max(longestIncident) });
const closeForm = z.object({ id: z.coerce.number().int().min(1) });

/** The page of incidents, which the status page shows. */
export function incidentsPage({ incidents, look, uncounted, onChange }: IncidentsPageParts) {
  const open: Action = async ({ form }) => {
    const { text } = textsOf(form, openForm, `A note has 1 to ${longestIncident} characters.`);
    const { id } = await incidents.open(text);
    onChange();
    return {
      outcome: 'done',
      object: `incident ${id}`,
      text: 'The status page shows it, on all instances within ten seconds.',
    };
  };

  const close: Action = async ({ form }) => {
    const { id } = closeForm.parse(Object.fromEntries(form));
    const object = `incident ${id}`;
    const isClosed = await incidents.close(id);
    onChange();
    return isClosed
      ? { outcome: 'done', object, text: 'It is over.' }
      : { outcome: 'failed', object, text: 'It was over already.' };
  };

  return {
    name: 'incidents',
    section: 'Do',
    title: 'Incidents',
    async load() {
      const { now, kinds } = await look();
      return {
        now,
        kinds: kinds.map(({ kind, now: health, share }) => ({ kind, health, share })),
        incidents: await incidents.since(0),
        uncounted: await uncounted(),
      };
    },
    actions: { open, close },
  } satisfies DeskPage;
}

export type IncidentsData = NonNullable<Awaited<ReturnType<ReturnType<typeof incidentsPage>['load']>>>;
