import { Badge, DataTable, DeedButton, Pager, Section, Time } from '../../../server/desk/components.tsx';
import type { LogData } from './page.ts';

const kinds = { done: 'good', refused: 'plain', failed: 'bad', begun: 'bad' } as const;
const dayMs = 86_400_000;

/** Every deed of the desk, and log-ins that failed. */
export function LogView({ data: { entries, before, tries, sessions } }: { data: LogData }) {
  return (
    <>
      <p>
        What was done at this desk, and from where. Entries are deleted after two years, and by nothing else.
      </p>
      <DataTable
        caption="Deeds"
        empty="Nothing was done yet."
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          { title: 'Deed', cell: ({ what, object }) => `${what}${object === '' ? '' : `: ${object}`}` },
          {
            title: 'Outcome',
            cell: ({ outcome, text }) => (
              <>
                <Badge kind={kinds[outcome]}>{outcome}</Badge> {text}
              </>
            ),
          },
          {
            title: 'By',
            cell: ({ operator, block }) => [operator, block].filter((part) => part !== '').join(' from '),
          },
          { title: 'Instance', cell: ({ instance }) => instance },
        ]}
      />
      <Pager before={before} />
      <Section title="Sessions">
        <p>
          {sessions === 1 ? 'Only this session lasts.' : `${sessions} sessions last, this one included.`} Each
          ends 12 hours after its log-in. Another password ends those of its operator, and makes strangers of
          their devices.
        </p>
        <DeedButton deed="end-sessions">Log out everywhere</DeedButton>
      </Section>
      <Section title="Log-ins that failed">
        <DataTable
          caption="Log-ins that failed"
          empty="None within 90 days."
          rows={tries}
          keyOf={({ day, block }) => `${day} ${block}`}
          columns={[
            { title: 'Day', cell: ({ day }) => new Date(day * dayMs).toISOString().slice(0, 10) },
            { title: 'From', cell: ({ block }) => block },
            { title: 'Wrong', isNumber: true, cell: ({ failed }) => failed },
            { title: 'Refused unread', isNumber: true, cell: ({ limited }) => limited },
            { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
          ]}
        />
      </Section>
    </>
  );
}
