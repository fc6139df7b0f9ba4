import {
  ActionButton,
  ActionForm,
  DataTable,
  Section,
  Submit,
  TextField,
  Time,
} from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { IncidentsData } from './page.ts';

/** Incidents of the status page. */
function IncidentsView({ data: { incidents } }: { data: IncidentsData }) {
  return (
    <>
      <p>
        <a href="/status">The status page</a>
      </p>
      <Section title="Tell visitors">
        <ActionForm action="open">
          <TextField
            name="text"
            label="Note"
            hint="Stands on the status page until it is over, in the words and the language that you write."
            rows={3}
            maxLength={500}
            dir="auto"
            required
          />
          <Submit>Show it</Submit>
        </ActionForm>
      </Section>
      <Section title="Notes">
        <DataTable
          caption="Notes"
          empty="There are none."
          rows={incidents}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Note', cell: ({ text }) => <bdi>{text}</bdi> },
            { title: 'Since', cell: ({ beganAt }) => <Time at={beganAt} /> },
            {
              title: 'Until',
              cell: ({ id, endedAt }) =>
                endedAt === null ? (
                  <ActionButton action="close" values={{ id: String(id) }}>
                    It is over
                  </ActionButton>
                ) : (
                  <Time at={endedAt} />
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}

export default { incidents: IncidentsView } satisfies DeskViews;
