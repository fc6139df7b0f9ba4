import {
  ActionButton,
  ActionForm,
  Badge,
  DataTable,
  Section,
  Submit,
  TextField,
  Time,
} from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { IncidentsData } from './page.ts';

const kinds = { working: 'good', troubled: 'bad', broken: 'bad', unknown: 'plain' } as const;
const reasons: Readonly<Record<string, string>> = {
  other_site: 'Another site sent it.',
  withheld: 'The post is taken down.',
  network: 'Its visitor or address block counted often enough in the hour.',
  post: 'The post failed before in the hour.',
  share: 'Most failures of the hour are of its address block.',
};
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Incidents of the status page, and visitors' outcomes. */
function IncidentsView({ data }: { data: IncidentsData }) {
  return (
    <>
      <p>
        <a href="/status">The status page</a> says <Badge kind={kinds[data.now]}>{data.now}</Badge>
      </p>
      <DataTable
        caption="How requests end"
        empty=""
        rows={data.kinds}
        keyOf={({ kind }) => kind}
        columns={[
          { title: 'What', cell: ({ kind }) => kind },
          { title: 'Now', cell: ({ health }) => <Badge kind={kinds[health]}>{health}</Badge> },
          {
            title: 'Succeeded in 24 hours',
            isNumber: true,
            cell: ({ share }) => (share === null ? 'too few' : percent.format(share)),
          },
        ]}
      />
      <Section title="Not counted in 24 hours">
        <DataTable
          caption="Not counted in 24 hours"
          empty="Nothing."
          rows={data.uncounted}
          keyOf={({ name, detail }) => `${name} ${detail}`}
          columns={[
            { title: 'What', cell: ({ name }) => name },
            { title: 'Why', cell: ({ detail }) => reasons[detail] ?? detail },
            { title: 'Times', isNumber: true, cell: ({ total }) => total },
          ]}
        />
      </Section>
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
          rows={data.incidents}
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
