import { z } from 'zod';
import { type Action, type DeskPage, textsOf } from '../../../server/desk/desk-page.ts';
import { type IncidentStore, longestIncident } from '../incidents.ts';

const openForm = z.object({ text: z.string().trim().min(1).max(longestIncident) });
const closeForm = z.object({ id: z.coerce.number().int().min(1) });

/**
 * The page of incidents, which the status page shows.
 * @param onChange has this instance's status page show at once what is new; others do within ten seconds
 */
export function incidentsPage(incidents: IncidentStore, onChange: () => void) {
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
    load: async () => ({ incidents: await incidents.since(0) }),
    actions: { open, close },
  } satisfies DeskPage;
}

export type IncidentsData = Awaited<ReturnType<ReturnType<typeof incidentsPage>['load']>>;
